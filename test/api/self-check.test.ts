import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createReplica } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_SELF_CHECK: 'on', LOG_LEVEL: 'fatal' })
const pool = createPool({ url: at.database.url }, { max: 1 })
afterAll(() => pool.end())

async function metric(name: string, url = at.url): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
}

test('a stored state that contradicts its log is reported while the service runs, and so is its correction', async () => {
  const { agent } = await newAgent(at)
  await newAgent(at)
  const { client } = await newPlatform(at)
  await client.events.submit(agent.id, { type: 'task.completed' })
  await eventually(async () =>
    expect(await metric('standing_self_checks_total')).toBeGreaterThan(1),
  )
  expect(await metric('standing_self_check_differences')).toBe(0)
  expect((await send(`${at.url}/readyz`)).body).toEqual({ status: 'ok' })

  const change = 'update agent_states set score = score + $2 where agent_id = $1'
  await pool.query(change, [agent.id, 1])
  await eventually(async () =>
    expect((await send(`${at.url}/readyz`)).body).toEqual({
      status: 'degraded',
      reason: 'stored states that differ from the logs of their agents: 1',
    }),
  )
  await eventually(async () => expect(await metric('standing_self_check_differences')).toBe(1))

  await pool.query(change, [agent.id, -1])
  await eventually(async () =>
    expect((await send(`${at.url}/readyz`)).body).toEqual({ status: 'ok' }),
  )
})

test('a replica that lags behind lets no agent seem to contradict its log', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  await client.events.submit(agent.id, { type: 'task.completed' })
  const replica = await createReplica(at.database)
  const node = await at.node({ DATABASE_REPLICA_URL: replica.url })
  onTestFinished(async () => {
    await node.close()
    await replica.drop()
  })
  const list = await send(`${node.url}/v1/agents/${agent.id}/score/history`)
  expect(list.body).toMatchObject({ data: [] })
  await eventually(async () => {
    const { rows } = await pool.query<{ count: number }>('select count(*)::int from agent_states')
    const checked = await metric('standing_self_checks_total', node.url)
    expect(checked).toBeGreaterThanOrEqual(rows[0]?.count ?? 0)
  })
  expect((await send(`${node.url}/readyz`)).body).toEqual({ status: 'ok' })
})
