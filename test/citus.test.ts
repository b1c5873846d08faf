import pg from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { DISTRIBUTED, distribute, readDistribution } from '../src/store/postgres/distribution.ts'
import { MIGRATIONS, migrate } from '../src/store/postgres/migrate.ts'
import { createPool } from '../src/store/postgres/pool.ts'
import { createBareDatabase } from './support/cluster.ts'
import { commandIn } from './support/command.ts'
import { newAgent, newPlatform, startService } from './support/service.ts'

const isCluster = Boolean(process.env.STANDING_TEST_CITUS_URL)

if (!isCluster) {
  test.skip('nothing of a Citus cluster was run: STANDING_TEST_CITUS_URL is not set', () => {})
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** What `work` sends to the database, each statement once. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const sent = new Map<string, Statement>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    if (typeof first === 'object' && first !== null && 'text' in first && 'values' in first) {
      const { text, values } = first as Statement
      sent.set(text, { text, values })
    }
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return [...sent.values()]
}

describe.runIf(isCluster)('on a Citus cluster', async () => {
  const at = isCluster ? await startService({ STANDING_RATE_LIMITS: 'off' }) : null
  const pool = createPool({ url: at?.database.url ?? '' }, { max: 3 })
  afterAll(() => pool.end())

  function service() {
    if (at === null) {
      throw new Error('a cluster is there')
    }
    return at
  }

  test('each statement of a report and of a score is sent to one shard', async () => {
    const { agent, client } = await newAgent(service())
    const { client: platform } = await newPlatform(service())
    const report = (externalId: string) =>
      platform.events.submit(agent.id, { type: 'task.completed', externalId })
    // The first ones are decided by what is read; those after them by what the node remembers.
    await report('first')
    await report('second')
    const statements = await statementsOf(async () => {
      await report('third')
      await report('third')
      await platform.events.report(agent.id, [
        { type: 'payment.completed', data: { amount: 1, currency: 'USD' } },
      ])
      await service().anyone.score.get(agent.id)
      await client.events.list({ limit: 3 })
    })
    const tables = DISTRIBUTED.flatMap((group) => group.tables)
    const seen = new Set<string>()
    for (const { text, values } of statements) {
      const named = tables.filter((table) => new RegExp(`\\b${table}\\b`).test(text))
      // Other statements are those of background tasks.
      if (named.length === 0 || !values.some((value) => String(value).includes(agent.id))) {
        continue
      }
      const { rows } = await pool.query(`explain ${text}`, [...values])
      const plan = rows.map((row) => Object.values(row)[0]).join('\n')
      expect(plan, text).toMatch(/Task Count: 1\b/)
      expect(plan, text).not.toMatch(/Task Count: (?!1\b)|Distributed Subplan/)
      for (const table of named) {
        seen.add(table)
      }
    }
    expect([...seen]).toEqual(
      expect.arrayContaining(['agent_states', 'events', 'external_ids', 'report_responses']),
    )
  })

  test('with rate limits on, too, an agent is not locked for a report before it is written', async () => {
    const limited = await service().node({ STANDING_RATE_LIMITS: 'on' })
    const { agent } = await newAgent(service())
    const { client } = await newPlatform(service())
    const platform = client.with({ baseUrl: limited.url })
    const report = () => platform.events.submit(agent.id, { type: 'task.completed' })
    await report()
    await report()
    const statements = await statementsOf(report)
    const locks = statements.filter(
      ({ text, values }) =>
        /from agent_states\b.*for update$/s.test(text) && String(values).includes(agent.id),
    )
    expect(locks).toEqual([])
    expect((await service().anyone.score.get(agent.id)).eventCount).toBe(3)
    await limited.close()
  })

  test('all of an agent lies in one shard group, and distributing again changes nothing', async () => {
    const before = await readDistribution(pool)
    expect(before.missing).toEqual([])
    expect(await distribute(pool)).toEqual(before)
    const { rows } = await pool.query(
      `select count(distinct colocationid)::int as groups from pg_dist_partition
       where logicalrelid::text = any($1)`,
      [DISTRIBUTED.flatMap((group) => group.tables)],
    )
    expect(rows).toEqual([{ groups: 1 }])
  })

  test('the command shows what lies where and why, and has nothing more to do', async () => {
    const typed = commandIn({ DATABASE_URL: service().database.url })
    for (const apply of ['', ' --apply']) {
      const { code, said } = await typed(`database distribute${apply}`)
      expect(said).toMatch(
        /distributed by agent_id.*events.*on the coordinator:.*audit.*Nothing to do/s,
      )
      expect(code).toBe(0)
    }
  })

  test('a database with agents is distributed: their history and scores stay, and more is reported', async () => {
    const database = await createBareDatabase(inject('engine'))
    const opened = await startService({ STANDING_RATE_LIMITS: 'off', DATABASE_URL: database.url })
    const { agent } = await newAgent(opened)
    const { client: platform } = await newPlatform(opened)
    await platform.events.submit(agent.id, { type: 'task.completed' })
    const before = await opened.anyone.score.get(agent.id)
    await opened.service.close()
    const typed = commandIn({ DATABASE_URL: database.url })
    const shown = await typed('database distribute')
    expect(shown.said).toMatch(/To be distributed: agent_states, events/)
    const done = await typed('database distribute --apply')
    expect(done.said).toMatch(/Distributed: agent_states, events/)
    const again = await opened.node({ DATABASE_URL: database.url })
    const reader = opened.anyone.with({ baseUrl: again.url })
    const { score, breakdown, eventCount } = before
    expect(await reader.score.get(agent.id)).toMatchObject({ score, eventCount, breakdown })
    await platform.with({ baseUrl: again.url }).events.submit(agent.id, { type: 'task.completed' })
    expect((await reader.score.get(agent.id)).eventCount).toBe(2)
    await again.close()
    await database.drop()
  })

  test('a later migration changes distributed tables', async () => {
    const later = {
      name: '0002-later',
      sql: `alter table events add column note text;
        create index events_note_idx on events (agent_id, note);
        alter table agent_states add column note text not null default 'none';`,
    }
    await migrate(pool, [...MIGRATIONS, later])
    const { agent } = await newAgent(service())
    const { rows } = await pool.query('select note from agent_states where agent_id = $1', [
      agent.id,
    ])
    expect(rows).toEqual([{ note: 'none' }])
  })
})
