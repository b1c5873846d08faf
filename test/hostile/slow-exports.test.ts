import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, newOwner, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

/** In ten lines, together more than what the system keeps for a client that does not read. */
const AGENTS = 10
const LINE_BYTES = 1_500_000

async function ownerWithLargeExport() {
  const owner = await newOwner(at)
  for (let i = 0; i < AGENTS; i++) {
    await newAgent(at, owner)
  }
  const pool = createPool({ url: at.database.url }, { max: 1 })
  await pool.query(
    `update agents set metadata = json_build_object('text', repeat('x', $2)) where owner_id = $1`,
    [owner.owner.id, LINE_BYTES],
  )
  await pool.end()
  return { path: `${at.url}/v1/auth/export`, key: owner.token }
}

test('five exports of an account are sent at a time to clients that do not read; others get one', async () => {
  const { path, key } = await ownerWithLargeExport()
  const open = async () => {
    const request = get(path, { headers: { authorization: `Bearer ${key}` }, agent: false })
    request.on('error', () => {})
    onTestFinished(() => void request.destroy())
    const [{ statusCode: status }] = (await once(request, 'response')) as [IncomingMessage]
    return { status, close: () => request.destroy() }
  }
  const exports = []
  for (let i = 0; i < 5; i++) {
    exports.push(await open())
  }
  expect(exports.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const refused = await send(path, { key })
  expect([refused.status, refused.body.error.details]).toMatchObject([
    429,
    { limit: 'exports', max: 5 },
  ])
  expect(refused.headers.get('retry-after')).toBe('2')
  const other = await newAgent(at)
  const { status } = await fetch(`${at.url}/v1/agents/${other.agent.id}/events/export`, {
    headers: { authorization: `Bearer ${other.owner.token}` },
  })
  expect(status).toBe(200)
  exports[0]?.close()
  await eventually(async () => expect((await open()).status).toBe(200))
})

test('an export that has ended takes no place, and neither does a HEAD request for one', async () => {
  const { agent, owner } = await newAgent(at)
  const path = `${at.url}/v1/agents/${agent.id}/events/export`
  for (const method of ['HEAD', 'GET']) {
    for (let i = 0; i < 7; i++) {
      const response = await fetch(path, {
        method,
        headers: { authorization: `Bearer ${owner.token}` },
      })
      expect(response.status).toBe(200)
      await response.text()
    }
  }
})
