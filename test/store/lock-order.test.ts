import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { queueInPostgres } from '../support/deliveries.ts'
import { holdLocks, waitForLocks } from '../support/hold-locks.ts'

/** What waits for a lock must not hold one that the order of all transactions has behind it. */

const { pool, store, put, idOf, close } = await queueInPostgres()
afterAll(close)

test('a delivery that is sent again waits for its queue head before it locks the delivery', async () => {
  await put('hook', 'x', 'one')
  const webhookId = await idOf('hook')
  const { rows } = await pool.query<{ number: number }>(
    'select notification_seq as number from deliveries where webhook_id = $1',
    [webhookId],
  )
  const number = Number(rows[0]?.number)
  // As a node that records an attempt: the head first, and then the delivery.
  const unlock = await holdLocks(pool, {
    text: 'select from delivery_queue_heads where webhook_id = $1 for update',
    values: [webhookId],
  })
  const redelivered = store.transaction((within) =>
    within.deliveries.redeliver(webhookId, number, Date.now()),
  )
  await waitForLocks(pool, 1, redelivered)
  const delivery = 'select from deliveries where webhook_id = $1 for update nowait'
  expect((await pool.query(delivery, [webhookId])).rowCount).toBe(1)
  await unlock()
  await redelivered
})

test('the use of keys is recorded in the order of their ids', async () => {
  const [first = '', second = ''] = [randomUUID(), randomUUID()].sort()
  for (const id of [second, first]) {
    await pool.query('insert into operators (id, name, created_at) values ($1, $2, 0)', [id, id])
  }
  const unlock = await holdLocks(pool, {
    text: 'select from operators where id = $1 for update',
    values: [first],
  })
  const uses = new Map([second, first].map((id) => [id, 5]))
  const recorded = store.keys.recordUse('operator', uses)
  await waitForLocks(pool, 1, recorded)
  const other = 'select from operators where id = $1 for update nowait'
  expect((await pool.query(other, [second])).rowCount).toBe(1)
  await unlock()
  await recorded
  const { rows } = await pool.query('select distinct last_used_at::int as at from operators')
  expect(rows).toEqual([{ at: 5 }])
})
