// npm run bench: the service against what it is built on, as ratios, in one run and in turns.
import { UserError } from '../../src/lib/user-error.ts'
import { machine, markdown, plain, resultsTo, writeSection } from '../report.ts'
import { againstTable, type Mapping, measureAgainst, readMapping } from './rates/against.ts'
import { createContenders, createLoad, ourRequests } from './rates/contenders.ts'
import { type InsertLoad, loadInserts } from './rates/inserts.ts'
import { type HttpLoad, loadHttp } from './rates/load.ts'
import { type Options, parseOptions } from './rates/options.ts'
import { servePlain } from './rates/plain/service.ts'
import { type Profile, profileOf } from './rates/profile.ts'
import { type RawAnswer, serveRaw } from './rates/raw.ts'
import { joined, profileTable, rowsTable, summariesTable } from './rates/report.ts'
import { runRounds } from './rates/rounds.ts'
import { COMPARISONS, rowOf, summaryOf } from './rates/rows.ts'
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

const ABOUT = `Node ${process.version} on ${machine()}`

async function main(args: readonly string[]): Promise<void> {
  const options = parseOptions(args)
  const mapping = options.against && readMapping(options.against.mapping)
  const stage = await setStage()
  try {
    await (options.against && mapping
      ? benchAgainst(stage, options, options.against.url, mapping)
      : bench(stage, options))
  } finally {
    await stage.end()
  }
}

async function bench(stage: Stage, options: Options): Promise<void> {
  const asking = startWorker('load')
  const load = createLoad(asking, stage, options)
  const { contenders, end } = await createContenders(stage, load)
  const chosen = COMPARISONS.filter(({ name }) => name.includes(options.only ?? ''))
  const names = [...new Set(chosen.flatMap(({ ours, anchor }) => [ours, anchor]))]
  const say = (text: string) => process.stderr.write(text)
  const runs = await runRounds(contenders, names, options, stage.postgresPid, (name, run) =>
    say(`${name} ${Math.round(run.perSecond)}/s\n`),
  )
  const rows = chosen.map((comparison) => rowOf(comparison, runs))
  const summaries = names.map((name) => summaryOf(name, runs[name] ?? []))
  const profiles: Profile[] = []
  const requests = ourRequests(stage)
  for (const name of names) {
    if (options.profile && (name === 'read' || name === 'eventOnce' || name === 'batch')) {
      profiles.push(await profileOf(name, stage, load, requests[name], options))
    }
  }
  await end()
  await asking.end()
  const tables = [rowsTable(rows), summariesTable(summaries), ...profiles.map(profileTable)]
  const results = resultsTo(options.json)
  results.say(`${ABOUT}\n${joined(tables, plain)}\n`)
  if (options.page !== null) {
    writeSection(options.page, 'rates', `${ABOUT}.\n\n${joined(tables, markdown)}`)
  }
  results.finish(rows)
}

async function benchAgainst(
  stage: Stage,
  options: Options,
  url: string,
  mapping: Mapping,
): Promise<void> {
  const asking = startWorker('load')
  const load = createLoad(asking, stage, options)
  const rows = await measureAgainst(url, mapping, stage, load, options, ({ name, ratio }) =>
    process.stderr.write(`${name} ${ratio.toFixed(2)}\n`),
  )
  await asking.end()
  const results = resultsTo(options.json)
  results.say(`${ABOUT}\n${plain(againstTable(rows))}\n`)
  results.finish(rows)
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
