import { parseArgs } from 'node:util'
import { ConfigError, readConfig, SETTINGS } from '../../src/config.ts'
import { Problem } from './problem.ts'

/** What a command is given beside its arguments. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Writes a line for the one who asked. */
  readonly say: (line: string) => void
}

/** A command: what it does, and the exit code. */
export interface Command {
  /** As typed: `score replay`. */
  readonly name: string
  /** What may follow the name. */
  readonly usage: string
  readonly summary: string
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>
}

export interface Parsed<O extends string> {
  readonly words: readonly string[]
  readonly options: Readonly<Partial<Record<O, string>>>
  readonly flags: ReadonlySet<string>
}

/** Reads arguments: `options` take a value, `flags` none. */
export function parse<const O extends string>(
  args: readonly string[],
  options: readonly O[],
  flags: readonly string[] = [],
): Parsed<O> {
  const known = Object.fromEntries([
    ...options.map((name) => [name, { type: 'string' }] as const),
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
  ])
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: known,
    })
    const given = Object.entries(values)
    return {
      words: positionals,
      options: Object.fromEntries(
        given.filter(([, value]) => typeof value === 'string'),
      ) as Parsed<O>['options'],
      flags: new Set(given.flatMap(([name, value]) => (value === true ? [name] : []))),
    }
  } catch (error) {
    throw new Problem(error instanceof Error ? error.message : String(error))
  }
}

/** The settings that say where the data is, as `standing serve` takes them. */
export const DATA_OPTIONS = ['data-dir', 'database-url', 'secret-key', 'port', 'host'] as const

/** The service's settings, from the environment and these options. */
export function configOf(
  env: Terminal['env'],
  options: Readonly<Partial<Record<(typeof DATA_OPTIONS)[number], string>>>,
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
