// npm run torture: reports from outside, faults of all kinds, and whether what was acknowledged is stored,
// once and right.
import { UserError } from '../../src/lib/user-error.ts'
import { endWith, readOptions, wholeNumber } from '../options.ts'
import { publish, type Table } from '../report.ts'
import { FAULTS } from './faults/faults.ts'
import type { Row } from './row.ts'
import { runFaults } from './run-fault.ts'

/** How often each fault happens. */
const ROUNDS = 20

const WORKERS = 24

/** Reports acknowledged before each round, and in the short form. */
const BETWEEN = 200
const BETWEEN_QUICK = 40

const USAGE = `npm run torture -- [--quick] [--only NAME] [--rounds N] [--seed N] [--json [FILE]] [--page FILE]

Runs the service under faults and compares it with a ledger that is kept outside of it.`

async function main(args: readonly string[], signal: AbortSignal): Promise<number> {
  const values = readOptions(
    USAGE,
    {
      quick: false,
      only: '',
      rounds: null,
      seed: Date.now() % 2 ** 31,
      json: null,
      page: null,
    },
    args,
  )
  const faults = FAULTS.filter(({ name }) => name.includes(values.only))
  if (faults.length === 0) {
    const names = FAULTS.map(({ name }) => name).join(', ')
    endWith(`--only: no fault is called "${values.only}". There are ${names}`)
  }
  const options = {
    seed: values.seed,
    rounds:
      values.rounds === null ? (values.quick ? 1 : ROUNDS) : wholeNumber('rounds', values.rounds),
    between: values.quick ? BETWEEN_QUICK : BETWEEN,
    workers: WORKERS,
    signal,
  }
  process.stderr.write(`seed ${options.seed}\n`)
  const rows = await runFaults(faults, options, (row) =>
    process.stderr.write(`${row.fault}: ${summary(row)}\n`),
  )
  publish(values, { section: 'torture', table: tableOf(rows), rows })
  return rows.some(({ problems }) => problems.length > 0) ? 1 : 0
}

function summary({ skipped, acknowledged, problems }: Row): string {
  if (skipped !== null) {
    return `skipped: ${skipped}`
  }
  const first = problems.slice(0, 20).map((problem) => `\n  ${problem}`)
  return `${acknowledged} acknowledged, ${problems.length} problems${first.join('')}`
}

function tableOf(rows: readonly Row[]): Table {
  const whatOf = (name: string) => FAULTS.find((fault) => fault.name === name)?.what ?? ''
  return {
    head: [
      'fault',
      'what happens',
      'rounds',
      'acknowledged',
      'lost',
      'doubled',
      'mismatched',
      'sent again',
      'recovery ms',
    ],
    rows: rows.map((row) =>
      row.skipped === null
        ? [
            row.fault,
            whatOf(row.fault),
            ...[row.rounds, row.acknowledged, row.lost, row.doubled, row.mismatched].map(figure),
            ...[row.retried, row.recoveryMs].map(figure),
          ]
        : [row.fault, `not done: ${row.skipped}`, '', '', '', '', '', '', ''],
    ),
  }
}

function figure(value: number): string {
  return value.toLocaleString('en-US')
}

const interruption = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => interruption.abort(new Error(`interrupted by ${name}`)))
}
const code = await main(process.argv.slice(2), interruption.signal).catch((error: unknown) => {
  const said = error instanceof UserError ? error.message : (error as Error).stack
  process.stderr.write(`${said}\n`)
  return 1
})
// Also where a fault failed in the middle, and clients still wait.
process.exit(code)
