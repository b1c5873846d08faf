import { UserError } from './lib/user-error.ts'

/** Describes an error at the start; an unexpected one with its stack. */
export function explain(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error)
  }
  if (error instanceof UserError) {
    return error.message
  }
  const { code, port, address } = error as Error & {
    readonly code?: string
    readonly port?: number
    readonly address?: string
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} of ${address} is in use. Set PORT to another port, or to 0 for a free one.`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST is not an address of this machine (${code}). Set it to one that is, or to 0.0.0.0 for all.`
  }
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} must not be opened by this user. Set PORT to 1024 or higher.`
  }
  return error.stack ?? error.message
}

/** What to do about each reason of a refused connection, by SQLSTATE. */
const REFUSALS: Readonly<Record<string, string>> = {
  '08P01': 'If it is a pooler, set DATABASE_DIRECT_URL to the database behind it.',
  '28P01': 'Check the user name and the password in it.',
  '28000': 'Check the user name in it, or allow it in pg_hba.conf.',
  '3D000': 'Create that database (createdb), or name another one.',
  '53300': 'Raise max_connections of the server, or close other connections.',
  '57P03': 'Start the service again when the database has started.',
}

/** The same for reasons that the SQLSTATE does not tell apart, or that have none. */
const REASONS: readonly (readonly [reason: RegExp, advice: string])[] = [
  [
    /no encryption|SSL off/,
    'Add sslmode=verify-full to it, or allow the connection in pg_hba.conf.',
  ],
  [/not support SSL/, 'Turn on ssl in the settings of the server, or remove sslmode from it.'],
  [
    /certificate|altnames/,
    'Name the authority of its certificate (sslmode=verify-full&sslrootcert=FILE), and the host that the ' +
      'certificate is for.',
  ],
  [/password must be/, 'Add the password to it.'],
  [/ENOENT.* open /, 'Correct the path of the file in it.'],
  [/permission denied for database/, 'Grant its user the right to connect to the database.'],
  [/permission denied for/, 'Let its user read the tables: grant pg_read_all_data to it.'],
]

/** A setting with the address of a database. */
export type DatabaseSetting = 'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'DATABASE_REPLICA_URL'

/**
 * An error about the database of a setting: which one, why, and what to do. Never its password.
 */
export function unreachable(
  databaseUrl: string,
  error: unknown,
  setting: DatabaseSetting = 'DATABASE_URL',
): UserError {
  const {
    code = '',
    message,
    errors,
  } = causeOf(error) as NodeJS.ErrnoException & {
    /** A name with several addresses fails with one error for each. */
    readonly errors?: readonly Error[]
  }
  const said = message || errors?.[0]?.message || String(error)
  const advice =
    REASONS.find(([reason]) => reason.test(said))?.[1] ??
    REFUSALS[code] ??
    'Check that it runs, and that host and port are correct.'
  return new UserError(
    `The database of ${setting}${placeOf(databaseUrl)} cannot be used: ${said}. ${advice}`,
    { cause: error },
  )
}

/** The error of the database itself, of which the store has made one of its own. */
function causeOf(error: unknown): unknown {
  return (error as { cause?: unknown } | null)?.cause ?? error
}

/** A standby, or a database that was set to refuse writes. */
export function readOnly(
  databaseUrl: string,
  { isStandby }: { readonly isStandby: boolean },
  setting: DatabaseSetting = 'DATABASE_URL',
): UserError {
  const [what, advice] = isStandby
    ? ['is a standby, which is read-only', `Set ${setting} to the primary, or promote the standby.`]
    : ['is read-only', 'Reset default_transaction_read_only for it and for its user.']
  return new UserError(`The database of ${setting}${placeOf(databaseUrl)} ${what}. ${advice}`)
}

/** Two addresses that have to lead to one database, and lead to two. */
export function anotherDatabase(databaseUrl: string, databaseDirectUrl: string): UserError {
  return new UserError(
    `DATABASE_DIRECT_URL${placeOf(databaseDirectUrl)} is another database than ` +
      `DATABASE_URL${placeOf(databaseUrl)}. Set it to the database behind the pooler. Nothing was changed.`,
  )
}

/** Not permitted, and no schema that the user may create in. */
const NO_RIGHTS = ['42501', '3F000']

/** What the user of the database lacks to create the tables; any other error as it is. */
export function withoutRights(
  databaseUrl: string,
  error: unknown,
  setting: DatabaseSetting = 'DATABASE_URL',
): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!NO_RIGHTS.includes(code)) {
    return error
  }
  const user = URL.canParse(databaseUrl) ? decodeURIComponent(new URL(databaseUrl).username) : ''
  const advice = /permission denied for (table|sequence|function)|must be owner/.test(message)
    ? `The tables belong to another user: connect as that one, or make this one a member of it: grant OWNER to "${user}";`
    : `Grant it the right, as the owner of the database: grant usage, create on schema public to "${user}";`
  return new UserError(
    `The user of ${setting}${placeOf(databaseUrl)} may not create the tables: ${message}. ${advice}`,
    { cause: error },
  )
}

/** DATABASE_REPLICA_URL leads to a database of another installation, or of none. */
export function noReplica(databaseReplicaUrl: string): UserError {
  return new UserError(
    `The database of DATABASE_REPLICA_URL${placeOf(databaseReplicaUrl)} is not a replica of the database of ` +
      'DATABASE_URL. Set it to a streaming replica of that database, or remove it.',
  )
}

function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) {
    return ''
  }
  const { host, pathname } = new URL(databaseUrl)
  const place = `${host}${pathname}`
  return place === '' ? '' : ` (${place})`
}
