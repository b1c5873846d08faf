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
    process.stderr.write(`${problem}\n\n${usage}\n`)
    process.exit(WRONG_USAGE)
  }
}
