import { existsSync } from 'node:fs'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { argsWithJson } from './results.ts'

type Known = NonNullable<ParseArgsConfig['options']>

/** Exit code for a command line that is wrong, as in `standing`. */
const WRONG_USAGE = 2

/**
 * The options of a measurement. `--help` prints the usage and ends the process; so does an option that
 * does not exist or lacks its value, with the exit code 2.
 */
export function readOptions<const O extends Known>(
  usage: string,
  options: O,
  args: readonly string[] = process.argv.slice(2),
) {
  if (args.includes('--help')) {
    process.stdout.write(`${usage}\n`)
    process.exit(0)
  }
  try {
    return parseArgs({ args: argsWithJson(args), options }).values
  } catch (error) {
    // The first sentence; what follows speaks of Node's API.
    const [problem] = (error as Error).message.split('. ')
    return endWith(`${problem}\n\n${usage}`)
  }
}

/** Ends the process if the folder with the data sets is not there. */
export function checkDataFolder(folder: string): void {
  if (!existsSync(folder)) {
    endWith(`--data: there is no folder ${folder}`)
  }
}

/** Ends the process because of its command line. */
export function endWith(problem: string): never {
  process.stderr.write(`${problem}\n`)
  process.exit(WRONG_USAGE)
}
