import { UserError } from '../lib/user-error.ts'
import type { SettingName } from './table.ts'
import type { Get } from './values.ts'

/** A user on a Unix socket, as libpq writes it: `postgres://user@/database?host=/run/postgresql`. */
const SOCKET = /^postgres(ql)?:\/\/[^@/?#]+@\/[^@]*[?&]host=/

/** Null for the embedded PostgreSQL. @throws UserError */
export function databaseUrl(get: Get, name: SettingName = 'DATABASE_URL'): string | null {
  const text = get(name)
  if (text === null) {
    return null
  }
  if (!/^postgres(ql)?:\/\//.test(text)) {
    throw new UserError(`${name} must read postgres://user:password@host:port/database.`)
  }
  // What is no URL, such as one with a / in the password, `pg` reads as an address of this machine.
  if (!URL.canParse(text) && !SOCKET.test(text)) {
    throw new UserError(
      `${name} is not a valid URL. Percent-encode special characters in the user name and the password: ` +
        '%2F for /, %40 for @, %3A for :.',
    )
  }
  return text
}

/** Another address of the database that DATABASE_URL names. @throws UserError */
export function otherDatabaseUrl(get: Get, name: SettingName): string | null {
  const url = databaseUrl(get, name)
  if (url !== null && get('DATABASE_URL') === null) {
    throw new UserError(`${name} needs DATABASE_URL, which is not set.`)
  }
  return url
}
