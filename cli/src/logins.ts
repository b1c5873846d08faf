import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError, unwritableFile } from '../../src/lib/user-error.ts'
import type { Terminal } from './command.ts'

/** A credential that `standing login` stored, for one address. */
export interface Login {
  readonly kind: 'owner' | 'agent' | 'platform' | 'operator'
  /** A token or an API key. */
  readonly secret: string
  /** Null where it does not end by itself. */
  readonly expiresAt: string | null
}

interface LoginFile {
  /** The address of the last sign-in: the default of `--url`. */
  readonly lastUrl: string | null
  readonly logins: Readonly<Record<string, readonly Login[]>>
}

type Env = Terminal['env']

/** A request takes one credential, and one that reports is a platform's or an agent's. So the last one counts. */
const REPORTERS: readonly Login['kind'][] = ['platform', 'agent']

export interface Stored {
  readonly file: string
  /** Those that commands would have used in the place of this one. They are no longer stored. */
  readonly replaced: readonly Login[]
}

/** For an address there is one credential of an owner, one of a reporter and one of an operator. */
export function storeLogin(env: Env, url: string, login: Login): Stored {
  const file = fileOf(env)
  if (file === null) {
    throw new UserError('There is no place to store a sign-in: set HOME or XDG_CONFIG_HOME.')
  }
  const { logins } = read(env)
  const kinds = REPORTERS.includes(login.kind) ? REPORTERS : [login.kind]
  const before = logins[url] ?? []
  const others = before.filter(({ kind }) => !kinds.includes(kind))
  write(file, { lastUrl: url, logins: { ...logins, [url]: [...others, login] } })
  return { file, replaced: before.filter(({ kind }) => kinds.includes(kind)) }
}

/** Forgets what is stored for an address, and returns it. */
export function forgetLogins(env: Env, url: string): readonly Login[] {
  const file = fileOf(env)
  const { lastUrl: last, logins } = read(env)
  const { [url]: gone = [], ...others } = logins
  if (file !== null && gone.length > 0) {
    write(file, { lastUrl: last === url ? null : last, logins: others })
  }
  return gone
}

export function loginsAt(env: Env, url: string): readonly Login[] {
  return read(env).logins[url] ?? []
}

export function lastUrl(env: Env): string | null {
  return read(env).lastUrl
}

/** By the XDG base directory specification. */
function fileOf(env: Env): string | null {
  const config = env.XDG_CONFIG_HOME || (env.HOME ? join(env.HOME, '.config') : null)
  return config === null ? null : join(config, 'standing', 'logins.json')
}

function read(env: Env): LoginFile {
  const file = fileOf(env)
  const none: LoginFile = { lastUrl: null, logins: {} }
  if (file === null) {
    return none
  }
  try {
    return { ...none, ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<LoginFile>) }
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new UserError(`${file} is not JSON. Delete it and sign in again: standing login`)
    }
    // No sign-in was stored, or this user may not read it.
    return none
  }
}

/** Readable by its owner alone, and never half written. @throws UserError */
function write(file: string, content: LoginFile): void {
  const draft = `${file}.${process.pid}`
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
    renameSync(draft, file)
  } catch (error) {
    throw unwritableFile(file, error)
  }
}
