import { afterAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { OPERATIONS } from '../support/operations.ts'
import { startService } from '../support/service.ts'
import { createWorld } from '../support/world.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const world = await createWorld(at)
afterAll(() => world.close())

/** What ends an agent or a token comes last. */
const ENDS = [
  'POST /v1/agents/{id}/successor',
  'DELETE',
  'POST /v1/operator/keys/{kid}/revoke',
  'POST /v1/auth/password',
]

const ENDS_TOKEN = ['POST /v1/auth/password', 'POST /v1/auth/logout']

/** What is delivered, or folded in the background, meanwhile moves by itself. */
const BY_THEMSELVES = ['deliveries', 'notices', 'webhooks', 'quarantined_evidence']

/** What a platform reported is discarded in the background. */
async function discardsFinished(): Promise<void> {
  await eventually(async () => {
    const { data } = await at.operator.operator.listPlatforms({ limit: 100 })
    expect(data.filter(({ discarded }) => discarded?.finishedAt === null)).toEqual([])
  })
}

test('every write accepts an Idempotency-Key: a repeat returns the same response and changes nothing', async () => {
  const endOf = (name: string) => ENDS.findIndex((end) => name.startsWith(end))
  const writes = OPERATIONS.filter(({ method }) => method !== 'GET').sort(
    (a, b) => endOf(a.name) - endOf(b.name),
  )
  const wrong: string[] = []
  const kept: string[] = []
  for (const operation of writes) {
    const { url, init } = world.request(operation)
    const headers = { ...init.headers, 'idempotency-key': `key-${operation.name.length}` }
    const ask = async () => {
      const response = await fetch(url, { ...init, headers })
      const replayed = response.headers.get('idempotent-replayed')
      return { status: response.status, text: await response.text(), replayed }
    }
    const first = await ask()
    await discardsFinished()
    const before = await world.stored()
    const again = await ask()
    if (first.replayed !== null) {
      wrong.push(`${operation.name}: replayed at first`)
    }
    const after = await world.stored()
    const moved = Object.keys(before).filter((name) => before[name] !== after[name])
    if (moved.some((name) => !BY_THEMSELVES.includes(name))) {
      wrong.push(`${operation.name}: did something again to ${moved}`)
    }
    const expected = JSON.stringify({ ...first, replayed: 'true' })
    // A caller without access any more gets no replay.
    if (ENDS_TOKEN.includes(operation.name) && again.status === 401) {
      continue
    }
    if (JSON.stringify(again) !== expected) {
      wrong.push(
        `${operation.name}: ${JSON.stringify(first).slice(0, 150)}, then ${JSON.stringify(again).slice(0, 150)}`,
      )
    }
    kept.push(operation.name)
  }
  expect(wrong).toEqual([])
  expect(kept.length).toBeGreaterThan(28)
})
