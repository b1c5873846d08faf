import { UserError } from '../lib/user-error.ts'
import type { SettingName } from './table.ts'
import type { Get } from './values.ts'

/** Null for the embedded PostgreSQL. @throws UserError */
export function databaseUrl(get: Get, name: SettingName = 'DATABASE_URL'): string | null {
  const text = get(name)
  if (text === null || /^postgres(ql)?:\/\//.test(text)) {
    return text
  }
  throw new UserError(`${name} must read postgres://user:password@host:port/database.`)
}

/** Another address of the database that DATABASE_URL names. @throws UserError */
export function otherDatabaseUrl(get: Get, name: SettingName): string | null {
  const url = databaseUrl(get, name)
  if (url !== null && get('DATABASE_URL') === null) {
    throw new UserError(`${name} needs DATABASE_URL, which is not set.`)
  }
  return url
}
