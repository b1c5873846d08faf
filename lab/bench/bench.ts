// npm run bench: the service against what it is built on, as ratios, in short turns.
import { UserError } from '../../src/lib/user-error.ts'
import { machine, markdown, plain, resultsTo, writeSection } from '../report.ts'
import { measureAgainst, type Other, readMapping } from './rates/against.ts'
import { createContenders, createLoad, type Load } from './rates/contenders.ts'
import { type InsertLoad, loadInserts } from './rates/inserts.ts'
import { type HttpLoad, loadHttp } from './rates/load.ts'
import { type Options, parseOptions } from './rates/options.ts'
import { servePlain } from './rates/plain/service.ts'
import { type Profile, profileOf } from './rates/profile.ts'
import { type RawAnswer, serveRaw } from './rates/raw.ts'
import { AGAINST, joined, profileTable, RATIOS, rowsTable, summariesTable } from './rates/report.ts'
import { type Pair, runRounds, SLICE_WARM_MS } from './rates/rounds.ts'
import { COMPARISONS, rowOf, runsOf, summaryOf } from './rates/rows.ts'
import { type Stage, setStage } from './rates/stage.ts'
import { runAs, serveTasks, startWorker } from './rates/worker.ts'

/** What this program is when it is started by itself. */
const ROLES: Readonly<Record<string, () => void>> = {
  load: () =>
    serveTasks((task: HttpLoad | InsertLoad) =>
      'port' in task ? loadHttp(task) : loadInserts(task),
    ),
  raw: () => serveTasks((answer: RawAnswer) => serveRaw(answer)),
  plain: () => serveTasks((databaseUrl: string) => servePlain(databaseUrl)),
}

/** Loads whose profile is added. */
const PROFILED = ['read', 'eventOnce', 'batch'] as const

const ABOUT = `Node ${process.version} on ${machine()}`

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args)
  const { against } = options
  const other = against && { url: against.url, mapping: readMapping(against.mapping) }
  const stage = await setStage()
  const asking = startWorker('load')
  const load = createLoad(asking, stage, { clients: options.clients, warmMs: SLICE_WARM_MS })
  try {
    await (other ? benchAgainst(other, stage, load, options) : bench(stage, load, options))
  } finally {
    await asking.end()
    await stage.end()
  }
}

async function bench(stage: Stage, load: Load, options: Options): Promise<void> {
  const { contenders, end } = await createContenders(stage, load)
  const chosen = COMPARISONS.filter(({ name }) => name.includes(options.only ?? ''))
  const pairs = chosen.map((one) => ({
    ...one,
    ours: contenders[one.ours],
    anchor: contenders[one.anchor],
  }))
  const measured = await measure(pairs, stage, options)
  const summaries = Object.entries(contenders)
    .map(([name, contender]) => ({ name, runs: runsOf(contender, measured) }))
    .filter(({ runs }) => runs.length > 0)
    .map(({ name, runs }) => summaryOf(name, runs))
  const profiles: Profile[] = []
  for (const name of options.profile ? PROFILED : []) {
    if (chosen.some(({ ours }) => ours === name)) {
      profiles.push(await profileOf(name, stage, load, options))
    }
  }
  await end()
  const rows = measured.map(rowOf)
  const tables = [rowsTable(rows, RATIOS), summariesTable(summaries), ...profiles.map(profileTable)]
  const results = resultsTo(options.json)
  results.say(`${ABOUT}\n${joined(tables, plain)}\n`)
  if (options.page !== null) {
    writeSection(options.page, 'rates', `${ABOUT}.\n\n${joined(tables, markdown)}`)
  }
  results.finish(rows)
}

async function benchAgainst(
  other: Other,
  stage: Stage,
  load: Load,
  options: Options,
): Promise<void> {
  const measured = await measureAgainst(other, stage, load, (pairs) =>
    measure(pairs, stage, options),
  )
  const rows = measured.map(rowOf)
  const results = resultsTo(options.json)
  results.say(`${ABOUT}\n${plain(rowsTable(rows, AGAINST))}\n`)
  results.finish(rows)
}

function measure(pairs: readonly Pair[], { postgresPid }: Stage, options: Options) {
  return runRounds(pairs, options, postgresPid, (pair, { ours, anchor }) =>
    process.stderr.write(`${pair.name} ${(ours.perSecond / anchor.perSecond).toFixed(2)}\n`),
  )
}

await runAs(ROLES, () =>
  main(process.argv.slice(2)).catch((error: unknown) => {
    if (!(error instanceof UserError)) {
      throw error
    }
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }),
)
