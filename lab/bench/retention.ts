import { Standing } from '@standing/sdk'
import pg from 'pg'
import { DAY_MS } from '../../src/domain/time.ts'
import { applyRetention } from '../../src/retention/retention.ts'
import { checkAgent } from '../../src/scoring/check-agent.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { readOptions } from '../options.ts'
import { publish, type Table } from '../report.ts'
import { OPERATOR_KEY } from '../service-process.ts'
import { recordHistory } from './asof/history.ts'
import { openDatabase } from './database.ts'
import { startService } from './service.ts'

const USAGE = `npm run bench:retention -- [--events N] [--agents N] [--json [FILE]] [--page FILE]

Measures the room that events and snapshots take, before retention and after it, and how long retention
takes.`

const TABLES = ['events', 'archived_events', 'external_ids', 'snapshots', 'checkpoints'] as const

/** The past that is recorded: long enough for every step of the thinning. */
const DAYS = 730

const RETENTION = { texts: null, audit: null, deliveries: 30, archive: 180, snapshots: 90 }

type Sizes = Readonly<Record<(typeof TABLES)[number], number>>

interface Row {
  readonly when: string
  readonly sizes: Sizes
}

async function main(): Promise<void> {
  const values = readOptions(USAGE, { events: 1_000_000, agents: 100, json: null, page: null })
  const database = await openDatabase()
  const pool = createPool(database.connection)
  try {
    const store = createPostgresStore(pool)
    const { url } = database
    const agentIds = await recordPast(url, store, values.events, values.agents)
    const rows: Row[] = [{ when: 'as received', sizes: await sizesAfter('analyze', url) }]
    const begun = performance.now()
    await retain(store)
    process.stderr.write(`retention took ${seconds(begun)} s\n`)
    const when = 'after retention and `vacuum full`'
    rows.push({ when, sizes: await sizesAfter('full', url) })
    for (const agentId of agentIds) {
      const checked = await checkAgent(store, agentId)
      if (checked?.difference !== null) {
        throw new Error(`agent ${agentId}: ${checked?.difference.what ?? 'is missing'}`)
      }
    }
    publish(values, { section: 'retention', table: tableOf(rows), rows })
  } finally {
    await pool.end()
    await database.close()
  }
}

/** As many events about each agent, as the service records them. */
async function recordPast(
  databaseUrl: string,
  store: Store,
  events: number,
  agents: number,
): Promise<readonly string[]> {
  const service = await startService(databaseUrl)
  const operator = new Standing({ baseUrl: service.url, operatorKey: OPERATOR_KEY })
  const { id: platformId } = await operator.operator.createPlatform({ name: 'a', verified: true })
  const password = 'correct horse battery staple'
  const { token, owner } = await operator.auth.register({ email: 'bench@example.com', password })
  await operator.operator.updateOwner(owner.id, { tier: 'platform' })
  const client = new Standing({ baseUrl: service.url, token })
  const agentIds: string[] = []
  for (let i = 0; i < agents; i++) {
    agentIds.push((await client.agents.register({ displayName: `agent ${i}` })).id)
  }
  await service.end()
  const each = Math.round(events / agents)
  const everyMs = (DAYS * DAY_MS) / Math.ceil(each / 256)
  for (const [i, agentId] of agentIds.entries()) {
    await recordHistory(store, {
      agentId,
      platformIds: [platformId],
      events: each,
      everyMs,
      // An event that awaits review keeps those after it from the archive.
      isQuarantined: false,
    })
    process.stderr.write(`\r${i + 1} of ${agents} agents`)
  }
  process.stderr.write('\n')
  return agentIds
}

async function retain(store: Store): Promise<void> {
  await applyRetention({
    store,
    now: Date.now,
    newId: () => crypto.randomUUID(),
    retention: RETENTION,
    isStopping: () => false,
    onRemoved: () => {},
    onFailed(error) {
      throw error
    },
  })
}

/** On a connection of its own: it takes longer than the service gives a statement. */
async function sizesAfter(how: 'analyze' | 'full', connectionString: string): Promise<Sizes> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`vacuum ${how}`)
  const { rows } = await client.query<{ name: keyof Sizes; bytes: number }>(
    'select name, pg_total_relation_size(name::regclass)::float8 as bytes from unnest($1::text[]) as name',
    [TABLES],
  )
  await client.end()
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes])) as Sizes
}

function tableOf(rows: readonly Row[]): Table {
  return {
    head: ['MB', ...TABLES.map((name) => `\`${name}\``), 'together'],
    rows: rows.map(({ when, sizes }) => {
      const bytes = TABLES.map((name) => sizes[name])
      const sum = bytes.reduce((a, b) => a + b, 0)
      return [when, ...[...bytes, sum].map((one) => (one / 1e6).toFixed(0))]
    }),
  }
}

function seconds(begun: number): string {
  return ((performance.now() - begun) / 1000).toFixed(0)
}

await main()
