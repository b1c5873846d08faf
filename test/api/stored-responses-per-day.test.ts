import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { send } from '../support/http.ts'
import { newOwner, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T11:00:00.000Z')
const at = await startService({}, { now: clock.now })
const second = await at.node()

const MIB = 1024 * 1024

/** A mapping whose response has 240 KB. */
const LARGE_MAPPING = {
  rules: [
    { agent: [{ path: '/agent' }], type: { constant: 'task.completed' }, externalId: ['/id'] },
  ],
  sample: { agent: '0197a3c0-0000-8000-8000-000000000000', id: '1', pad: 'x'.repeat(240_000) },
}

function put(key: string, headers: Readonly<Record<string, string>>, base = at.url) {
  const url = `${base}/v1/platforms/me/mappings/large`
  return send(url, { method: 'PUT', key, json: LARGE_MAPPING, headers })
}

const named = (name: string) => ({ 'idempotency-key': name })

/** Stores large responses, by these keys in turn, until one is refused: at most 120 MiB. */
async function fill(apiKeys: readonly string[]) {
  let stored = 0
  for (let i = 0; ; i++) {
    if (i % 90 === 0) {
      clock.move(60_000)
    }
    const { status, headers, body, text } = await put(
      String(apiKeys[i % apiKeys.length]),
      named(`fill-${i}`),
    )
    if (status >= 400 || stored > 120 * MIB) {
      return { status, headers, body, stored }
    }
    stored += text.length
  }
}

test('the test platforms of an owner store 100 MiB of responses a day together, and these are repeated', async () => {
  const owner = await newOwner(at)
  const tester = owner.client.with({ mode: 'test' })
  const agent = await tester.agents.register({ displayName: 'tried' })
  const create = () => tester.testData.createPlatform()
  const keys = [(await create()).apiKey, (await create()).apiKey]
  const [key = ''] = keys

  const { status, headers, body, stored } = await fill(keys)
  expect({ status, code: body.error?.code }).toEqual({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
  expect(body.error.details).toMatchObject({ limit: 'stored_responses_per_day', max: 100 * MIB })
  expect(body.error.message).toContain(
    'send the request without the key, or after 2026-06-16T00:00',
  )
  const midnight = Date.parse('2026-06-16T00:00:00.000Z')
  expect(headers.get('retry-after')).toBe(String(Math.ceil((midnight - clock.now()) / 1000)))
  expect(stored).toBeGreaterThan(99 * MIB)
  expect(stored).toBeLessThan(101 * MIB)

  clock.move(60_000)
  expect((await put(key, named('other'), second.url)).status).toBe(429)
  const repeated = await put(key, named('fill-0'), second.url)
  expect(repeated.status).toBe(201)
  expect(repeated.headers.get('idempotent-replayed')).toBe('true')
  expect((await put(key, {})).status).toBe(200)

  // A leaked key can be replaced, and live data is not affected.
  const inTestMode = { ...named('rotate'), 'standing-mode': 'test' }
  const rotate = { method: 'POST', key: owner.token, headers: inTestMode }
  expect((await send(`${at.url}/v1/agents/${agent.id}/rotate-key`, rotate)).status).toBe(201)
  const live = { key: owner.token, json: { displayName: 'real' }, headers: named('live') }
  expect((await send(`${at.url}/v1/agents`, live)).status).toBe(201)

  clock.moveTo('2026-06-16T00:00:00.000Z')
  expect((await put(key, named('other'))).status).toBe(200)
})
