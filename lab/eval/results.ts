/** Where a measurement writes: its tables for a reader, its rows for a program. */
import { STDOUT } from '../options.ts'
import { writeRows } from './report.ts'

export interface Results {
  readonly say: (text: string) => void
  readonly finish: (rows: readonly object[]) => void
}

export function resultsTo(json: string | null): Results {
  const tables = json === STDOUT ? process.stderr : process.stdout
  return {
    say: (text) => tables.write(text),
    finish(rows) {
      if (json === STDOUT) {
        process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
      } else if (json !== null) {
        writeRows(json, rows)
      }
    },
  }
}
