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
  '28P01': 'Check the user name and the password in it.',
  '28000': 'Check the user name in it, or allow it in pg_hba.conf.',
  '3D000': 'Create that database (createdb), or name another one.',
  '42501': 'Grant its user the right to create tables.',
}

/**
 * An error about the database of DATABASE_URL: which one, why, and what to do. Never its password.
 */
export function unreachable(databaseUrl: string, error: unknown): UserError {
  const {
    code = '',
    message,
    errors,
  } = error as NodeJS.ErrnoException & {
    /** A name with several addresses fails with one error for each. */
    readonly errors?: readonly Error[]
  }
  const said = message || errors?.[0]?.message || String(error)
  const advice = REFUSALS[code] ?? 'Check that it runs, and that host and port are correct.'
  return new UserError(
    `The database of DATABASE_URL${placeOf(databaseUrl)} cannot be used: ${said}. ${advice}`,
    { cause: error },
  )
}

/** Not permitted, and no schema that the user may create in. */
const NO_RIGHTS = ['42501', '3F000']

/** What the user of the database lacks to create the tables; any other error as it is. */
export function withoutRights(databaseUrl: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (!NO_RIGHTS.includes(code)) {
    return error
  }
  const user = URL.canParse(databaseUrl) ? decodeURIComponent(new URL(databaseUrl).username) : ''
  return new UserError(
    `The user of DATABASE_URL${placeOf(databaseUrl)} may not create the tables: ${message}. Grant it the ` +
      `right, as the owner of the database: grant usage, create on schema public to "${user}";`,
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
  return ` (${host}${pathname})`
}
