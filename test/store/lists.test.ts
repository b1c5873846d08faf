import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { RecordedEvent } from '../../src/domain/agent.ts'
import type { ReportedQuery } from '../../src/store/events.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { FlaggedEvents, Page, Store } from '../../src/store/store.ts'
import { newAgent, startService } from '../support/service.ts'

/** Lists of many rows cost as little as lists of few, whatever the filter, and so does one row of a long history. */

const at = await startService()
const pool = createPool({ url: at.database.url }, { max: 4 })
const statements: pg.QueryConfig[] = []
const recording = {
  query(statement: pg.QueryConfig) {
    statements.push(statement)
    return pool.query(statement)
  },
}
const store = createPostgresStore(pool, { lists: recording as unknown as pg.Pool })
afterAll(() => pool.end())

const EVENTS = 12_000
const RARE = 'credential.revoked'
const [PLATFORM, OTHER] = [randomUUID(), randomUUID()]
let agentId = ''
let webhookId = ''

beforeAll(async () => {
  const { agent, owner } = await newAgent(at)
  agentId = agent.id
  const { id } = await owner.client.webhooks.create({ url: 'https://example.com', events: ['*'] })
  webhookId = id
  await pool.query(
    `insert into events (agent_id, seq, id, type, data, occurred_at, created_at, reporter_kind, reporter_id,
       is_self_reported, fraud_flags, findings, reporter_weight, share, hardness, is_quarantined,
       attestation_verified, review)
     select $1, n, gen_random_uuid(), case when n % 1500 = 7 then '${RARE}' else 'task.completed' end,
       '{}', n * 1000, n * 1000, 'platform', case when n % 2000 = 3 then $3::uuid else $2::uuid end,
       false, '{impossible_value}', '[{"rule":"impossible_value"}]', 1, 1, 0, true, false,
       '{"status":"pending","decisions":[],"appeal":null}'
     from generate_series(1, ${EVENTS}) n`,
    [agentId, PLATFORM, OTHER],
  )
  await pool.query('update agent_states set seq = $2 where agent_id = $1', [agentId, EVENTS])
  await pool.query(
    `insert into snapshots (agent_id, number, id, seq, score, event_count, breakdown, disputed, trigger,
       model_version, created_at)
     select $1, n, gen_random_uuid(), n, 500, n, '{}', '{}', '{}', '2.0.0', n * 1000
     from generate_series(1, ${EVENTS}) n`,
    [agentId],
  )
  await pool.query(
    `with written as (
       insert into notifications (id, owner_id, agent_id, type, data, created_at)
       select 'evt_' || n, $2, $1, 'event.ingested', '{}', n from generate_series(1, ${EVENTS}) n
       returning seq)
     insert into deliveries (webhook_id, notification_seq, ordering_key, status, next_attempt_at, created_at)
     select $3, seq, $1, case when seq % 4000 = 9 then 'failed' else 'succeeded' end, 0, 0 from written`,
    [agentId, agent.ownerId, webhookId],
  )
  await pool.query(
    `insert into audit (id, number, hash, commitment, actor_kind, action, details, created_at)
     select gen_random_uuid(), 1000 + n, '', '', 'operator', 'x', '{}', n
     from generate_series(1, ${EVENTS}) n`,
  )
  await pool.query(
    `insert into archived_events
     select gen_random_uuid(), 1, 9, 0, 0, gen_random_uuid(), gen_random_uuid(), false, false, '{}', ''
     from generate_series(1, ${EVENTS}) n`,
  )
  await pool.query('analyze')
})

/** Follows the pages of a list to its end. How many of them there were, and their rows. */
async function all<T>(
  read: (position: readonly (string | number)[] | null) => Promise<Page<T>>,
  positionOf: (row: T) => readonly (string | number)[],
): Promise<{ readonly rows: readonly T[]; readonly pages: number }> {
  const rows: T[] = []
  let position: readonly (string | number)[] | null = null
  for (let pages = 1; ; pages++) {
    const page: Page<T> = await read(position)
    rows.push(...page.rows)
    const last = page.rows.at(-1)
    const next: readonly (string | number)[] | null = page.end ?? (last ? positionOf(last) : null)
    if (!page.more || next === null) {
      return { rows, pages }
    }
    position = next
  }
}

const seqsOf = (rows: readonly RecordedEvent[]) => rows.map(({ seq }) => seq)
const numbers = Array.from({ length: EVENTS }, (_, i) => i + 1)
const newestFirst = (keep: (n: number) => boolean) => numbers.filter(keep).reverse()

const eventsOf = (filter: Partial<Parameters<Store['events']['list']>[0]>) =>
  all(
    (position) =>
      store.events.list({ agentId, ...filter }, position ? Number(position[0]) : null, 50),
    ({ seq }) => [seq],
  )

const reportedBy = (reporterId: string, filter: Partial<ReportedQuery>) =>
  all(
    (position) =>
      store.events.listReported(reporterId, {
        from: 0,
        to: (EVENTS + 1) * 1_000,
        type: undefined,
        agentId: undefined,
        isQuarantined: undefined,
        ...filter,
        position: position && {
          createdAt: Number(position[0]),
          agentId: String(position[1]),
          seq: Number(position[2]),
        },
        limit: 50,
      }),
    ({ createdAt, agentId, seq }) => [createdAt, agentId, seq],
  )

const flagged = (list: FlaggedEvents['list'], filter: Partial<FlaggedEvents>) =>
  all(
    (position) =>
      store.reviews.list(
        { list, mode: 'live', ...filter },
        position && { createdAt: Number(position[0]), id: String(position[1]) },
        50,
      ),
    ({ createdAt, id }) => [createdAt, id],
  )

describe('a page of a long list', () => {
  test('of events has each matching one once, with few empty pages', async () => {
    const rare = await eventsOf({ type: RARE })
    expect(seqsOf(rare.rows)).toEqual(newestFirst((n) => n % 1500 === 7))
    expect(rare.pages).toBeLessThan(5)
    const by = await eventsOf({ reporterId: OTHER, from: 2_500_000, to: 9_000_000 })
    expect(seqsOf(by.rows)).toEqual(newestFirst((n) => n % 2000 === 3 && n > 2_500 && n < 9_000))
    const none = await eventsOf({ type: 'payment.failed', reporterId: OTHER })
    expect(none).toMatchObject({ rows: [], pages: 3 })
  })

  test('of a platform’s reports has each once, and searches a bounded time span', async () => {
    const rare = await reportedBy(OTHER, {})
    expect(seqsOf(rare.rows)).toEqual(newestFirst((n) => n % 2000 === 3))
    expect(rare.pages).toBeLessThan(6)
    const often = await reportedBy(PLATFORM, { from: 1_000_000, to: 1_500_000 })
    expect(seqsOf(often.rows)).toEqual(
      newestFirst((n) => n >= 1_000 && n <= 1_500 && n % 2000 !== 3),
    )
    expect((await reportedBy(PLATFORM, { isQuarantined: false })).rows).toEqual([])
    // All at one time: nothing can be divided.
    const { rows } = await reportedBy(PLATFORM, { from: 5_000_000, to: 5_000_000 })
    expect(seqsOf(rows)).toEqual([5_000])
  })

  test.each(['awaitingReview', 'withFindings'] as const)(
    'of %s has each matching one once',
    async (list) => {
      const order = (seqs: readonly number[]) =>
        list === 'awaitingReview' ? [...seqs].reverse() : seqs
      const by = await flagged(list, { reporterId: OTHER })
      expect(seqsOf(by.rows)).toEqual(order(newestFirst((n) => n % 2000 === 3)))
      expect(by.pages).toBeLessThan(5)
      const span = await flagged(list, { rule: 'impossible_value', from: 100_000, to: 400_000 })
      expect(seqsOf(span.rows)).toEqual(order(newestFirst((n) => n >= 100 && n <= 400)))
      expect((await flagged(list, { rule: 'other' })).rows).toEqual([])
    },
  )

  test('of snapshots ends at the beginning of the time span', async () => {
    const list = (from: number, to: number) =>
      all(
        (position) =>
          store.snapshots.list({ agentId, from, to }, position ? Number(position[0]) : null, 50),
        ({ number }) => [number],
      )
    const late = await list(11_950_000, 11_990_000)
    expect(late.rows.map(({ number }) => number)).toEqual(
      newestFirst((n) => n >= 11_950 && n <= 11_990),
    )
    expect(late.pages).toBe(1)
    const early = await list(1_000, 20_000)
    expect(early.rows).toHaveLength(20)
  })

  test('of deliveries has each matching one once', async () => {
    const failed = await all(
      (position) =>
        store.deliveries.list(
          { webhookId, status: 'failed' },
          position ? Number(position[0]) : null,
          50,
        ),
      ({ number }) => [number],
    )
    expect(failed.rows).toHaveLength(3)
    expect(failed.pages).toBeLessThan(5)
  })

  test('reads a bounded number of rows by an index, and sorts none', async () => {
    await all(
      (position) => store.audit.list('newestFirst', position ? Number(position[0]) : null, 1_000),
      ({ number }) => [number],
    )
    await createPostgresStore(recording as unknown as pg.Pool).snapshots.find({
      agentId,
      id: randomUUID(),
    })
    expect(statements.at(-1)?.text).toMatch(/from snapshots/)
    const client = await pool.connect()
    onTestFinished(() => client.release(true))
    // As for a statement that has been prepared for long: the plan knows none of its values.
    await client.query('set plan_cache_mode = force_generic_plan')
    for (const statement of statements) {
      const plan = await planOf(client, statement)
      for (const node of nodesOf(plan)) {
        const table = node['Relation Name'] ?? ''
        const step = `${node['Node Type']} of ${table}, for ${statement.text}`
        // Of a part of the time that has no more rows than may be read, all are sorted.
        expect(statement.text.includes(PART_OF_TIME) ? '' : step).not.toMatch(/^Sort/)
        expect(LONG.has(table) ? step : '').not.toMatch(/^Seq Scan/)
        const read = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
        expect(read).toBeLessThanOrEqual(5_001)
      }
    }
    expect(statements.length).toBeGreaterThan(30)
  })
})

const PART_OF_TIME = 'reporter_id = $1 and created_at between'

/** The others have a row or two, for which no index is worth its use. */
const LONG = new Set([
  'archived_events',
  'events',
  'snapshots',
  'notifications',
  'deliveries',
  'audit',
])

interface Node {
  readonly 'Relation Name'?: string
  readonly 'Node Type': string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

async function planOf(client: pg.PoolClient, { text, values = [] }: pg.QueryConfig): Promise<Node> {
  await client.query(`prepare statement as ${text}`)
  const literals = values.map((value) =>
    value === null ? 'null' : client.escapeLiteral(String(value)),
  )
  const { rows } = await client.query(
    `explain (analyze, format json) execute statement(${literals.join(', ')})`,
  )
  await client.query('deallocate statement')
  return rows[0]['QUERY PLAN'][0].Plan as Node
}

function nodesOf(node: Node): readonly Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}
