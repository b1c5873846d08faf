import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { backUp } from '../cli/src/backup/backup.ts'
import { readCluster } from '../src/store/postgres/cluster.ts'
import { DISTRIBUTED } from '../src/store/postgres/distributed-tables.ts'
import { distribute, readDistribution } from '../src/store/postgres/distribution.ts'
import { MIGRATIONS, migrate } from '../src/store/postgres/migrate.ts'
import { createBatchClient, createPool } from '../src/store/postgres/pool.ts'
import { createPostgresStore } from '../src/store/postgres/store.ts'
import { createBareDatabase, isCluster } from './support/cluster.ts'
import { commandIn } from './support/command.ts'
import { createEmptyDatabase } from './support/database.ts'
import { eventually } from './support/eventually.ts'
import { newDirectory } from './support/once.ts'
import { recordReport } from './support/record-report.ts'
import { newAgent, newPlatform, startService } from './support/service.ts'

if (!isCluster) {
  test.skip('the tests on a Citus cluster are skipped: STANDING_TEST_CITUS_URL is not set', () => {})
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
  /** Of the server that it was sent to. */
  readonly port: number
}

/** What `work` sends to the database, each statement once for each server. */
async function statementsOf(work: () => Promise<unknown>): Promise<readonly Statement[]> {
  const sent = new Map<string, Statement>()
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    if (typeof first === 'object' && first !== null && 'text' in first && 'values' in first) {
      const { text, values } = first as Statement
      sent.set(`${this.port} ${text}`, { text, values, port: this.port })
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
    const [direct, others] = [statements.filter(isInShard), statements.filter((s) => !isInShard(s))]
    // A report is one of these, whatever it writes. Its second one is a repetition, answered from what is stored.
    expect(direct.length).toBeGreaterThanOrEqual(1)
    for (const { text, port } of direct) {
      expect(port).toBe(await portOfShard(agent.id))
      expect(tables.filter((table) => new RegExp(`\\b${table}\\b`).test(text))).toEqual([])
    }
    for (const { text, values } of others) {
      const named = tables.filter((table) => new RegExp(`\\b${table}\\b`).test(text))
      // Other statements are those of background tasks.
      if (named.length === 0 || !values.some((v) => String(v).includes(agent.id))) {
        continue
      }
      const plan = await planOf({ text, values })
      expect(plan, text).toMatch(/Task Count: 1\b/)
      expect(plan, text).not.toMatch(ON_MORE_SHARDS)
      for (const table of named) {
        seen.add(table)
      }
    }
    expect([...seen]).toEqual(expect.arrayContaining(['agent_states', 'events', 'external_ids']))
  })

  /** In the plan of a statement that asks several shards, or copies rows from one server to others. */
  const ON_MORE_SHARDS = /Task Count: (?!1\b)|Distributed Subplan/

  async function planOf({ text, values }: Pick<Statement, 'text' | 'values'>): Promise<string> {
    const { rows } = await pool.query(`explain ${text}`, [...values])
    return rows.map((row) => Object.values(row)[0]).join('\n')
  }

  test('the state of an agent that a review changes is written in its shard, and no other is locked', async () => {
    const { agent } = await newAgent(service())
    const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
    const state = await store.agentStates.find({ agentId: agent.id })
    const statements = await statementsOf(() => store.agentStates.save(state ?? expect.fail()))
    const writes = statements.filter(({ text }) => text.startsWith('update agent_states'))
    expect(writes.length).toBeGreaterThanOrEqual(1)
    for (const write of writes) {
      expect(await planOf(write), write.text).not.toMatch(ON_MORE_SHARDS)
    }
  })

  /** Whether a statement names the tables of one shard instead of those of the cluster. */
  function isInShard({ text }: Statement): boolean {
    return /\bupdate agent_states_\d+ /.test(text)
  }

  /** The shard with the rows of this agent, and the port of its server. */
  async function placeOf(agentId: string) {
    const { rows } = await pool.query<{ shard: string; port: number }>(
      `select shardid::text as shard, nodeport as port from pg_dist_shard_placement
       where shardid = get_shard_id_for_distribution_column('agent_states', $1::uuid)`,
      [agentId],
    )
    return rows[0] ?? { shard: '', port: 0 }
  }

  async function portOfShard(agentId: string): Promise<number> {
    return (await placeOf(agentId)).port
  }

  /** Two agents in different shards of one server. */
  async function neighbours(of = service()) {
    const { agent: one } = await newAgent(of)
    const place = await placeOf(one.id)
    while (true) {
      const { agent: other } = await newAgent(of)
      const { shard, port } = await placeOf(other.id)
      if (port === place.port && shard !== place.shard) {
        return { ids: [one.id, other.id], port }
      }
    }
  }

  test('reports in two shards of a server are one transaction there, and each counts once', async () => {
    const { ids, port } = await neighbours()
    const { client: platform } = await newPlatform(service())
    const reportAll = (names: readonly string[]) =>
      Promise.all(
        names.flatMap((externalId) =>
          ids.map((id) => platform.events.submit(id, { type: 'task.completed', externalId })),
        ),
      )
    await reportAll(['first'])
    await reportAll(['second'])
    const names = Array.from({ length: 12 }, (_, i) => `name ${i}`)
    const statements = await statementsOf(() => reportAll(names))
    expect(statements.filter(isInShard).map((sent) => sent.port)).toContain(port)
    expect(statements).toContainEqual({ text: 'commit', values: [], port })
    // The names that are in use fail the batches that they are in. The reports beside them are stored all the same.
    await reportAll([...names, 'third', 'first', 'fourth', 'second'])
    for (const id of ids) {
      expect((await service().anyone.score.get(id)).eventCount).toBe(names.length + 4)
    }
  })

  test('a report is one statement on the server with its agent, and one question to the coordinator', async () => {
    const { agent } = await newAgent(service())
    const { client: platform } = await newPlatform(service())
    const report = () => platform.events.submit(agent.id, { type: 'task.completed' })
    await report()
    await report()
    const statements = await statementsOf(report)
    const coordinator = Number(new URL(service().database.url).port)
    const about = statements.filter((s) => isInShard(s) || String(s.values).includes(agent.id))
    expect(about.map((s) => ({ port: s.port, isWrite: isInShard(s) }))).toEqual([
      { port: coordinator, isWrite: false },
      { port: await portOfShard(agent.id), isWrite: true },
    ])
    expect((await service().anyone.score.get(agent.id)).eventCount).toBe(3)
  })

  test('no report about an agent is lost while its shard moves to another worker and back', async () => {
    const { agent } = await newAgent(service())
    const { client } = await newPlatform(service())
    // While its shard moves, a report waits at most two seconds; then it is refused, and may be repeated.
    const platform = client.with({ retriesMax: 100, retryForMs: 60_000 })
    let isMoving = true
    let reported = 0
    const reporting = (async () => {
      while (isMoving) {
        await platform.events.submit(agent.id, { type: 'task.completed' })
        reported += 1
      }
    })()
    const moving = (async () => {
      for (let moves = 0; moves < 2; moves++) {
        await moveShardOf(agent.id)
      }
    })()
    await Promise.all([reporting, moving.finally(() => (isMoving = false))])
    expect((await service().anyone.score.get(agent.id)).eventCount).toBe(reported)
    const { rows } = await pool.query(
      'select count(*)::int as events, max(seq)::int as last from events where agent_id = $1',
      [agent.id],
    )
    expect(rows).toEqual([{ events: reported, last: reported }])
    // The first report finds out that the shard has moved. Those after it go to the server that has it now.
    const report = () => platform.events.submit(agent.id, { type: 'task.completed' })
    await report()
    const statements = await statementsOf(report)
    expect(statements.filter(isInShard).map(({ port }) => port)).toEqual([
      await portOfShard(agent.id),
    ])
  })

  test('no report is lost or counted twice while the server of its agent ends its connections', async () => {
    const { agent } = await newAgent(service())
    const { client } = await newPlatform(service())
    const platform = client.with({ retriesMax: 100, retryForMs: 60_000 })
    const worker = await workerPool(await portOfShard(agent.id))
    let reported = 0
    for (let round = 0; round < 5; round++) {
      const reports = Array.from({ length: 8 }, () =>
        platform.events.submit(agent.id, { type: 'task.completed' }),
      )
      await worker.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'standing' and pid <> pg_backend_pid()`,
      )
      await Promise.all(reports)
      reported += reports.length
    }
    expect((await service().anyone.score.get(agent.id)).eventCount).toBe(reported)
    const { rows } = await pool.query(
      'select count(*)::int as events, max(seq)::int as last from events where agent_id = $1',
      [agent.id],
    )
    expect(rows).toEqual([{ events: reported, last: reported }])
  })

  /** On the worker at this port, until the test is done. */
  async function workerPool(port: number): Promise<pg.Pool> {
    const url = new URL(service().database.url)
    url.port = String(port)
    const worker = createPool({ url: url.href }, { max: 1 })
    onTestFinished(() => worker.end())
    return worker
  }

  test('a program without connections to the workers writes through the coordinator', async () => {
    const { agent } = await newAgent(service())
    const { platform } = await newPlatform(service())
    const store = createPostgresStore(pool, { cluster: await readCluster(pool) })
    const statements = await statementsOf(async () => {
      for (let i = 0; i < 3; i++) {
        await recordReport(store, agent.id, { platformId: platform.id })
      }
    })
    expect(statements.filter(({ text }) => text.includes('write_in_shard('))).toHaveLength(1)
    expect(statements.filter(isInShard)).toEqual([])
    expect(await store.events.list({ agentId: agent.id }, null, 10)).toMatchObject({
      rows: [{ seq: 3 }, { seq: 2 }, { seq: 1 }],
    })
  })

  /** To another worker. Writes wait meanwhile. */
  async function moveShardOf(agentId: string): Promise<void> {
    const client = createBatchClient({ url: service().database.url }, 'a test')
    await client.connect()
    try {
      await client.query('set lock_timeout = 0')
      await client.query(
        `select citus_move_shard_placement(s.shardid, s.nodename, s.nodeport, n.nodename, n.nodeport, 'block_writes')
         from pg_dist_shard_placement s,
           (select * from pg_dist_node where groupid <> 0 and shouldhaveshards) n
         where s.shardid = get_shard_id_for_distribution_column('agent_states', $1::uuid)
           and n.nodeport <> s.nodeport limit 1`,
        [agentId],
      )
    } finally {
      await client.end()
    }
  }

  test('with rate limits enabled, too, an agent is not locked before its report is written', async () => {
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

  test('all rows of an agent are in one shard group, and distributing again changes nothing', async () => {
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

  test('the command shows where each table is and why, and a second run changes nothing', async () => {
    const typed = commandIn({ DATABASE_URL: service().database.url })
    for (const apply of ['', ' --apply']) {
      const { code, said } = await typed(`database distribute${apply}`)
      expect(said).toMatch(
        /distributed by agent_id.*events.*on the coordinator:.*audit.*Nothing to do/s,
      )
      expect(code).toBe(0)
    }
  })

  test('a database with agents is distributed: history and scores stay, and reports continue', async () => {
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

  test('the key of an agent is looked up without reading the keys and states of others', async () => {
    const { agent } = await newAgent(service())
    const fresh = await service().node()
    const statements = await statementsOf(() =>
      service().anyone.with({ baseUrl: fresh.url, apiKey: agent.apiKey }).agents.get(agent.id),
    )
    const lookUps = statements.filter(
      ({ text, values }) =>
        /\bapi_keys\b/.test(text) ||
        (/ from agent_states\b/.test(text) && String(values) === agent.id),
    )
    expect(lookUps.length).toBeGreaterThanOrEqual(2)
    for (const statement of lookUps) {
      expect(await planOf(statement), statement.text).not.toMatch(ON_MORE_SHARDS)
    }
    await fresh.close()
  })

  test('a backup made while reports come in is restored on one PostgreSQL and on a cluster', async () => {
    const secret = { STANDING_SECRET_KEY: randomBytes(32).toString('base64') }
    const source = await startService({ STANDING_RATE_LIMITS: 'off', ...secret })
    const { ids } = await neighbours(source)
    const { client: platform } = await newPlatform(source)
    const reportAll = () =>
      Promise.all(ids.map((id) => platform.events.submit(id, { type: 'task.completed' })))
    await reportAll()
    const client = createBatchClient({ url: source.database.url }, 'a test')
    await client.connect()
    // Between the states and the events more is reported, and Citus reads each shard on a connection of its own if it may.
    const query = async (text: string, values?: unknown[]) => {
      if (/ from events t$/.test(text)) {
        await reportAll()
        await client.query('set local citus.force_max_query_parallelization to on')
      }
      return client.query(text, values)
    }
    const file = join(await newDirectory('citus-backup-'), 'standing.backup')
    await backUp(Object.assign(Object.create(client), { query }), file, null)
    await client.end()
    for (const create of [createEmptyDatabase, () => createBareDatabase(inject('engine'))]) {
      const target = await create()
      const typed = commandIn({ ...secret, DATABASE_URL: target.url })
      expect(await typed(['restore', file])).toMatchObject({ code: 0 })
      if (create !== createEmptyDatabase) {
        expect(await typed('database distribute --apply')).toMatchObject({ code: 0 })
      }
      expect((await typed('score replay --all')).said).toContain(
        'everything stored is what the log gives, bit for bit',
      )
      const restored = await source.node({ DATABASE_URL: target.url })
      const reader = source.anyone.with({ baseUrl: restored.url })
      for (const id of ids) {
        expect((await reader.score.get(id)).eventCount).toBe(1)
      }
      await restored.close()
      await target.drop()
    }
  })

  test('status, check and metrics of a database count the rows and bytes on the workers', async () => {
    const { agent } = await newAgent(service())
    const { client: platform } = await newPlatform(service())
    await platform.events.submit(agent.id, { type: 'task.completed' })
    const typed = commandIn({ DATABASE_URL: service().database.url })
    // A server counts rows up to a second after they were written.
    await eventually(async () => {
      const { rows } = JSON.parse((await typed('database status --json')).out)
      expect(rows).toMatchObject({ agents: expect.any(Number), events: expect.any(Number) })
      expect(rows.events).toBeGreaterThan(0)
    })
    const {
      rows: [sizes],
    } = await pool.query<{ events: string; coordinator: number }>(
      `select to_char(citus_total_relation_size('events') / 1e6, 'FM990.0') as events,
         pg_database_size(current_database())::float8 as coordinator`,
    )
    // Each server has the catalogue of Citus.
    const servers = 2 * (sizes?.coordinator ?? Number.POSITIVE_INFINITY)
    expect(JSON.parse((await typed('database status --json')).out).bytes).toBeGreaterThan(servers)
    const metrics = await (await fetch(`${service().url}/metrics`)).text()
    expect(Number(/^standing_database_bytes (\S+)$/m.exec(metrics)?.[1])).toBeGreaterThan(servers)
    expect((await typed('doctor')).said).toContain(`events take ${sizes?.events} MB`)
  })

  test('a database distributed by the first schema is migrated to the current one', async () => {
    const database = await createBareDatabase(inject('engine'))
    const old = createPool({ url: database.url }, { max: 2 })
    await migrate(old, MIGRATIONS.slice(0, 1))
    await distribute(old)
    const opened = await startService({ STANDING_RATE_LIMITS: 'off', DATABASE_URL: database.url })
    expect(await columnsOnAll(old)).toEqual(await columnsOnAll(pool))
    expect((await readDistribution(old)).missing).toEqual([])
    const { agent } = await newAgent(opened)
    const { client: platform } = await newPlatform(opened)
    await platform.events.submit(agent.id, { type: 'task.completed' })
    expect((await opened.anyone.score.get(agent.id)).eventCount).toBe(1)
    await old.end()
    await opened.close()
    await database.drop()
  })

  /** Every column and index of the coordinator's tables, and how many columns the shards of each table have. */
  async function columnsOnAll(database: pg.Pool): Promise<readonly unknown[]> {
    const { rows: columns } = await database.query(
      `select table_name, column_name, data_type, is_nullable, column_default
       from information_schema.columns where table_schema = 'public' order by 1, 2`,
    )
    const { rows: indexes } = await database.query(
      "select indexdef from pg_indexes where schemaname = 'public' order by 1",
    )
    const { rows: ofShards } = await database.query(
      `select logicalrelid::text as name, result, count(*)::int as shards from pg_dist_partition p,
         lateral run_command_on_shards(p.logicalrelid,
           'select count(*) from pg_attribute where attrelid = ''%s''::regclass and attnum > 0') r
       group by 1, 2 order by 1, 2`,
    )
    return [...columns, ...indexes, ...ofShards]
  }

  test('a later migration changes distributed tables, and reports continue', async () => {
    const { agent: known } = await newAgent(service())
    const { client: platform } = await newPlatform(service())
    const report = () => platform.events.submit(known.id, { type: 'task.completed' })
    await report()
    await report()
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
    await report()
    expect((await service().anyone.score.get(known.id)).eventCount).toBe(3)
  })
})
