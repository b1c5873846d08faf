import { expect, test } from 'vitest'
import { createPool } from '../src/store/postgres/pool.ts'
import { eventually } from './support/eventually.ts'
import { send } from './support/http.ts'
import { newAgent, newPlatform, startService } from './support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' })

/** What each new session of the database may do, from now on. */
async function setReadOnly(value: 'on' | 'off'): Promise<void> {
  const pool = createPool({ url: at.database.url }, { max: 1 })
  const name = new URL(at.database.url).pathname.slice(1)
  await pool.query('set default_transaction_read_only = off')
  await pool.query(`alter database ${name} set default_transaction_read_only = ${value}`)
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await pool.end()
}

const ready = () => send(`${at.url}/readyz`)

test('while the database is read-only, writes get 503 and readiness says why; then both recover', async () => {
  const { agent } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const report = () =>
    send(`${at.url}/v1/agents/${agent.id}/events`, {
      key: platform.apiKey,
      json: { type: 'task.completed' },
    })
  await setReadOnly('on')
  await eventually(async () =>
    expect(await ready()).toMatchObject({
      status: 503,
      body: { error: { details: { reason: 'the database is read-only' } } },
    }),
  )
  await eventually(async () =>
    expect(await report()).toMatchObject({
      status: 503,
      body: { error: { details: { reason: 'database' } } },
    }),
  )
  await eventually(async () =>
    expect(await (await fetch(`${at.url}/metrics`)).text()).toMatch(/^standing_ready 0$/m),
  )
  await setReadOnly('off')
  await eventually(async () => expect((await ready()).status).toBe(200))
  await eventually(async () => expect((await report()).status).toBe(201))
})
