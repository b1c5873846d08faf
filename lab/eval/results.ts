/** Where a measurement writes: its tables for a reader, its rows for a program. */
import { writeRows } from './report.ts'

/** Given as FILE: the standard output. */
const STDOUT = '-'

/**
 * The arguments for `parseArgs`, where `--json` may stand alone: `--json FILE` writes the rows to a
 * file, `--json` to the standard output, and the tables then to the standard error.
 */
export function argsWithJson(args: readonly string[] = process.argv.slice(2)): string[] {
  return args.map((arg, i) => {
    const next = args[i + 1]
    return arg === '--json' && (next === undefined || next.startsWith('--'))
      ? `--json=${STDOUT}`
      : arg
  })
}

export interface Results {
  readonly say: (text: string) => void
  readonly finish: (rows: readonly object[]) => void
}

export function resultsTo(json: string | undefined): Results {
  const tables = json === STDOUT ? process.stderr : process.stdout
  return {
    say: (text) => tables.write(text),
    finish(rows) {
      if (json === STDOUT) {
        process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
      } else if (json !== undefined) {
        writeRows(json, rows)
      }
    },
  }
}
