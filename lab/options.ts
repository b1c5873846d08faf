import { existsSync } from 'node:fs'
import { type ArgumentOption, parseArguments } from '../src/lib/arguments.ts'
import { UserError } from '../src/lib/user-error.ts'

/** Exit code for a command line that is wrong, as in `standing`. */
const WRONG_USAGE = 2

/** As the value of `--json`: the standard output. */
export const STDOUT = '-'

/**
 * The options of a measurement by their defaults: `false` is a flag, a number an option with a whole number,
 * a text or null an option with a text.
 */
type Defaults = Readonly<Record<string, false | number | string | null>>

type Values<D extends Defaults> = { readonly [N in keyof D]: Value<D[N]> }
type Value<T> = T extends false
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : string | null

/**
 * Reads the options of a measurement. `--help` prints the usage and ends the process; so does an option that
 * does not exist or has a wrong value, with the exit code 2.
 */
export function readOptions<const D extends Defaults>(
  usage: string,
  defaults: D,
  args: readonly string[] = process.argv.slice(2),
): Values<D> {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return optionsIn(defaults, args)
  } catch (error) {
    if (error instanceof UserError) {
      endWith(`${error.message}\n\n${usage}`)
    }
    throw error
  }
}

/** @throws UserError that names the option which does not exist, or has a wrong value */
export function optionsIn<const D extends Defaults>(
  defaults: D,
  args: readonly string[],
): Values<D> {
  const known = Object.entries(defaults).map(
    ([name, value]): ArgumentOption =>
      value === false ? { name } : { name, value: typeof value === 'number' ? 'N' : 'VALUE' },
  )
  const { words, options, flags } = parseArguments(argsWithJson(args), known)
  if (words.length > 0) {
    throw new UserError(`There is no argument ${words[0]}.`)
  }
  const values = Object.entries(defaults).map(([name, value]) => {
    const given = options[name]
    if (value === false) {
      return [name, flags.has(name)]
    }
    return [name, typeof value === 'number' && given ? wholeNumber(name, given) : (given ?? value)]
  })
  return Object.fromEntries(values) as Values<D>
}

/** @throws UserError that names the option */
export function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new UserError(`--${name} takes a whole number.`)
  }
  return Number(text)
}

/** `--json FILE` writes the rows to a file; `--json` alone to the standard output. */
function argsWithJson(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    const next = args[i + 1]
    return arg === '--json' && (next === undefined || next.startsWith('--'))
      ? `--json=${STDOUT}`
      : arg
  })
}

/** Ends the process if the folder with the data sets is not there. */
export function checkDataFolder(folder: string): void {
  if (!existsSync(folder)) {
    endWith(`There is no folder ${folder}. Name the one with the data sets: --data FOLDER`)
  }
}

/** Ends the process because of its command line. */
export function endWith(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(WRONG_USAGE)
}
