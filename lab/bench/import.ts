import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ImportSummary, Standing } from '@standing/sdk'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { readOptions } from '../options.ts'
import { cpuUs, familyUs } from '../processes.ts'
import { plain, resultsTo, type Table } from '../report.ts'
import { OPERATOR_KEY } from '../service-process.ts'
import { openDatabase } from './database.ts'
import { addAgents } from './grow/fill.ts'
import { writePast } from './import/past.ts'
import { quarterMaxima, watchMemory } from './import/watch.ts'
import { type OurService, startService } from './service.ts'

const USAGE = `npm run bench:import -- [--events N] [--agents N] [--platforms N] [--dry-run] [--kill] [--profile FOLDER] [--json [FILE]]

Imports a generated past with the standing command into an empty database, and measures processor time for each
event and memory in each second. The past is of a year, in order of time, each line about any of the agents.

--dry-run   imports nothing
--kill      kills the service (SIGKILL) in the middle and starts it again
--profile   writes a profile of the service for each run of it, as node --cpu-prof does

In the end it counts the events in the database, and checks the logs and scores of some agents.`

/** Agents of one owner. */
const AGENTS_OF_OWNER = 100

/** Agents whose log is folded again in the end: each takes some milliseconds. */
const CHECKED_AGENTS = 200

/** Long enough that the command has sent the next lines, and the service is importing them. */
const IN_A_PART_MS = 2_000

interface Scene {
  readonly file: string
  readonly fileBytes: number
  readonly postgresPid: number
  readonly store: Store
  readonly pool: ReturnType<typeof createPool>
  readonly agentIds: readonly string[]
  readonly start: (port?: number) => Promise<OurService>
}

interface Row {
  readonly events: number
  readonly agents: number
  readonly platforms: number
  readonly isDryRun: boolean
  readonly bytesPerLine: number
  readonly seconds: number
  readonly eventsPerSecond: number
  /** Processor time for each event; null where there is no /proc. */
  readonly serviceUs: number | null
  readonly postgresUs: number | null
  readonly serviceMb: readonly number[]
  readonly commandMb: readonly number[]
  readonly imported: number
  readonly alreadyImported: number
  readonly quarantined: number
  readonly refused: number
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, {
    events: 1_000_000,
    agents: 20_000,
    platforms: 30,
    'dry-run': false,
    kill: false,
    profile: null,
    json: null,
  })
  const results = resultsTo(values.json)
  const database = await openDatabase()
  const { url, folder } = database
  const pool = createPool(database.connection)
  const nodeArgs = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
  try {
    const start = (at = 0) =>
      startService(url, { nodeArgs, settings: { PORT: String(at), TMPDIR: folder } })
    const service = await start()
    const { platforms, agents, events } = values
    const platformIds = await addPlatforms(service, platforms)
    const agentIds = await addOwners(pool, agents)
    const file = join(folder, 'past.jsonl')
    await writePast({ file, events, agentIds, platformIds })
    const { size: fileBytes } = await stat(file)
    const store = createPostgresStore(pool)
    const scene = { file, fileBytes, postgresPid: database.pid, store, pool, agentIds, start }
    const row = await runOn(scene, service, { ...values, isDryRun: values['dry-run'] })
    results.say(`${plain(tableOf(row))}\n`)
    if (!row.isDryRun) {
      await checkAll(scene, row)
      results.say(`All events are there once; the logs of ${CHECKED_AGENTS} agents verify.\n`)
    }
    results.finish([row])
  } finally {
    await pool.end()
    await database.close()
  }
}

async function addPlatforms({ url }: OurService, count: number): Promise<readonly string[]> {
  const operator = new Standing({ baseUrl: url, operatorKey: OPERATOR_KEY })
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    ids.push((await operator.operator.createPlatform({ name: `platform ${i}`, verified: true })).id)
  }
  return ids
}

async function addOwners(pool: Scene['pool'], agents: number): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < agents) {
    ids.push(...(await addAgents(pool, Math.min(AGENTS_OF_OWNER, agents - ids.length))))
  }
  return ids
}

interface RunOptions {
  readonly events: number
  readonly agents: number
  readonly platforms: number
  readonly isDryRun: boolean
  readonly kill: boolean
}

async function runOn(
  scene: Scene,
  first: OurService,
  { events, agents, platforms, isDryRun, kill }: RunOptions,
): Promise<Row> {
  let service = first
  let restarted: Promise<void> | null = null
  let killedUs = 0
  const before = { service: cpuUs(first.pid), postgres: familyUs(scene.postgresPid) }
  const begun = performance.now()
  const command = startCommand(scene.file, first.url, isDryRun)
  const memory = watchMemory({ service: () => service.pid, command: () => command.pid ?? 0 })
  const summary = summaryOf(command, (lines) => {
    if (kill && restarted === null && lines >= events / 2) {
      restarted = sleep(IN_A_PART_MS).then(async () => {
        killedUs = cpuUs(service.pid) ?? 0
        process.kill(service.pid, 'SIGKILL')
        await service.end()
        service = await scene.start(first.port)
      })
    }
  })
  const { imported, alreadyImported, quarantined, refused } = await summary
  const seconds = (performance.now() - begun) / 1_000
  await memory.end()
  await restarted
  const each = (from: number | null, to: number | null) =>
    from === null || to === null ? null : (to - from) / events
  const after = { service: cpuUs(service.pid), postgres: familyUs(scene.postgresPid) }
  await service.end()
  return {
    events,
    agents,
    platforms,
    isDryRun,
    bytesPerLine: scene.fileBytes / events,
    seconds,
    eventsPerSecond: events / seconds,
    serviceUs: each(before.service, after.service && after.service + killedUs),
    postgresUs: each(before.postgres, after.postgres),
    serviceMb: quarterMaxima(memory.service),
    commandMb: quarterMaxima(memory.command),
    imported,
    alreadyImported,
    quarantined,
    refused,
  }
}

function startCommand(file: string, url: string, isDryRun: boolean): ChildProcess {
  const args = ['scripts/standing.mjs', 'import', file, '--url', url, '--json']
  const child = spawn(process.execPath, isDryRun ? [...args, '--dry-run'] : args, {
    env: { PATH: process.env.PATH, HOME: tmpdir(), STANDING_OPERATOR_KEY: OPERATOR_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  return child
}

/** Calls `onLines` with how many lines were sent so far. Answers what the command prints. */
async function summaryOf(
  command: ChildProcess,
  onLines: (lines: number) => void,
): Promise<ImportSummary> {
  let printed = ''
  command.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const said = createInterface({ input: command.stderr as Readable })
  said.on('line', (line) => {
    const [, lines] = /^(\d+) lines, /.exec(line) ?? []
    if (lines === undefined) {
      process.stderr.write(`${line}\n`)
    } else {
      onLines(Number(lines))
    }
  })
  const [code] = await once(command, 'close')
  if (printed === '') {
    throw new Error(`the command ended with ${code}`)
  }
  return JSON.parse(printed) as ImportSummary
}

async function checkAll({ pool, store, agentIds }: Scene, { events, refused }: Row): Promise<void> {
  const { rows } = await pool.query<{ events: number }>(
    'select sum(seq)::float8 as events from agent_states',
  )
  if (rows[0]?.events !== events - refused) {
    throw new Error(`${rows[0]?.events} events instead of ${events - refused}`)
  }
  const every = Math.max(1, Math.floor(agentIds.length / CHECKED_AGENTS))
  for (const agentId of agentIds.filter((_, i) => i % every === 0)) {
    const checked = await checkAgent(store, agentId)
    if (checked?.difference !== null) {
      throw new Error(`agent ${agentId}: ${checked?.difference.what ?? 'is missing'}`)
    }
  }
}

function tableOf(row: Row): Table {
  const us = (value: number | null) => (value === null ? '–' : `${value.toFixed(0)} µs`)
  return {
    head: ['', ''],
    rows: [
      ['events', String(row.events)],
      ['bytes a line', row.bytesPerLine.toFixed(0)],
      ['seconds', row.seconds.toFixed(0)],
      ['events a second', row.eventsPerSecond.toFixed(0)],
      ['processor time of the service, an event', us(row.serviceUs)],
      ['processor time of PostgreSQL, an event', us(row.postgresUs)],
      ['MB of the service, in each quarter of the time', row.serviceMb.join(' ')],
      ['MB of the command', row.commandMb.join(' ')],
      ['imported', String(row.imported)],
      ['already imported', String(row.alreadyImported)],
      ['quarantined', String(row.quarantined)],
      ['refused', String(row.refused)],
    ],
  }
}

await main()
