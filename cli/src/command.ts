import { parseArgs } from 'node:util'
import { ConfigError, readConfig, SETTINGS } from '../../src/config.ts'
import { Problem } from './problem.ts'

/** What a command is given beside its arguments. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line for the one who asked. */
  readonly say: (line: string) => void
}

/** An option, as it is read and as `--help` shows it. */
export interface Option<N extends string = string> {
  readonly name: N
  /** What follows it; without, it is a flag. */
  readonly value?: string
  readonly help: string
  /** The variables of the environment that stand in for it, the first before the second. */
  readonly env?: readonly string[]
}

/** A command: what it does, and the exit code. */
export interface Command {
  /** As typed: `score replay`. */
  readonly name: string
  /** What follows the name, before any options. */
  readonly usage: string
  readonly summary: string
  readonly options: readonly Option[]
  /** A line that may be typed. */
  readonly example: string
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>
}

export interface Parsed<N extends string> {
  readonly words: readonly string[]
  readonly options: Readonly<Partial<Record<N, string>>>
  readonly flags: ReadonlySet<string>
}

/** Reads arguments by the options that a command has. */
export function parse<const N extends string>(
  args: readonly string[],
  known: readonly Option<N>[],
): Parsed<N> {
  const options = Object.fromEntries(
    known.map(({ name, value }) => [name, { type: value ? 'string' : 'boolean' }] as const),
  )
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
    const given = Object.entries(values)
    return {
      words: positionals,
      options: Object.fromEntries(
        given.filter(([, value]) => typeof value === 'string'),
      ) as Parsed<N>['options'],
      flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
    }
  } catch (error) {
    throw new Problem(error instanceof Error ? error.message : String(error))
  }
}

/** The settings that say where the data is, as `standing serve` takes them. */
export const DATA_OPTIONS = [
  setting('data-dir', 'DIR'),
  setting('database-url', 'URL'),
  setting('secret-key', 'KEY'),
] as const

/** Where the service listens, or would. */
export const PLACE_OPTIONS = [setting('port', 'PORT'), setting('host', 'HOST')] as const

/** A setting of the service, told as the service tells it. */
function setting<const N extends string>(name: N, value: string): Option<N> {
  const { name: env, help } = SETTINGS.find(({ flag }) => flag === name) ?? { name: '', help: '' }
  return { name, value, help, env: [env] }
}

type SettingName = (typeof DATA_OPTIONS | typeof PLACE_OPTIONS)[number]['name']

/** The service's settings, from the environment and these options. */
export function configOf(
  env: Terminal['env'],
  options: Readonly<Partial<Record<SettingName, string>>>,
) {
  const given = Object.entries(options).filter(([name]) =>
    SETTINGS.some(({ flag }) => flag === name),
  )
  try {
    return readConfig(
      env,
      given.flatMap(([name, value]) => [`--${name}`, value]),
    )
  } catch (error) {
    throw error instanceof ConfigError ? new Problem(error.message) : error
  }
}
