import { expect, onTestFinished, test } from 'vitest'
import { createBatchClient, LIST_CONNECTIONS_MAX } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

// Each list that finds no connection in time is an error in the log.
const at = await startService({ STANDING_RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' })

/** Three times as many as a node has connections. */
const LISTS = 40

test('reports, scores and readiness have free connections while every list waits for the database', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const list = () => send(`${at.url}/v1/operator/audit`, { key: OPERATOR_KEY })
  const holder = createBatchClient({ url: at.database.url }, 'holder')
  await holder.connect()
  let isOver = false
  onTestFinished(async () => {
    isOver = true
    await holder.end()
  })
  await holder.query('begin')
  await holder.query('lock table audit')
  // A list that was refused is asked for again, so that the connections are in use all the time.
  const lists = Array.from({ length: LISTS }, async () => {
    while (!isOver) {
      await list()
    }
  })
  await eventually(async () => {
    const { rows } = await holder.query(
      `select count(*)::int as count from pg_locks
       where relation = 'audit'::regclass and not granted`,
    )
    expect(rows).toEqual([{ count: LIST_CONNECTIONS_MAX }])
  })

  const report = await send(`${at.url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
  })
  expect(report.status).toBe(201)
  const score = await send(`${at.url}/v1/agents/${agent.id}/score`)
  expect([score.status, score.body.eventCount]).toEqual([200, 1])
  await eventually(async () => expect((await send(`${at.url}/readyz`)).status).toBe(200))

  isOver = true
  await holder.query('rollback')
  await Promise.all(lists)
  expect((await list()).status).toBe(200)
})
