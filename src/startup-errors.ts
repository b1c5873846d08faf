import { UserError } from './lib/user-error.ts'

/** What went wrong at the start, in words; anything that is not expected with its stack. */
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
    return `Port ${port} of ${address} is taken. Set PORT to another, or to 0 for a free one.`
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST is no address of this machine (${code}). Set it to one that is, or to 0.0.0.0 for all.`
  }
  if (code === 'EACCES' && port !== undefined) {
    return `Port ${port} may not be opened by this user. Set PORT to one from 1024 on.`
  }
  return error.stack ?? error.message
}

/** What to do about each answer of a database that lets nobody in: SQLSTATE codes. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'Mend the user and the password in it.',
  '28000': 'Mend the user in it, or let him in (pg_hba.conf).',
  '3D000': 'Make that database (createdb), or name another.',
  '42501': 'Grant its user what it lacks: he makes tables there.',
}

/** A database of one's own that cannot be used: which, why, and what to do. Never its password. */
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
  const advice = REFUSALS[code] ?? 'See that it runs, and that host and port are right.'
  return new UserError(
    `The database of DATABASE_URL${placeOf(databaseUrl)} cannot be used: ${said}. ${advice}`,
    { cause: error },
  )
}

function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) {
    return ''
  }
  const { host, pathname } = new URL(databaseUrl)
  return ` (${host}${pathname})`
}
