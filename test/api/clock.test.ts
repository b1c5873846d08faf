import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const HOUR_MS = 3_600_000

const clock = createTestClock('2026-06-15T11:00:00.000Z')
const at = await startService({ STANDING_EVENTS_PER_AGENT_HOUR: '3' }, { now: clock.now })
const other = await at.node()

function asks(token: string, base = at.url) {
  return fetch(`${base}/v1/auth/me`, { headers: { authorization: `Bearer ${token}` } })
}

test('after the clock was an hour ahead for one request, the rate limit’s minute ends at the true time', async () => {
  const { token } = await newOwner(at)
  clock.move(HOUR_MS)
  expect((await asks(token)).status).toBe(200)
  clock.move(-HOUR_MS)
  // On the node that counted it, and on one that did not.
  for (const base of [other.url, at.url]) {
    const answer = await asks(token, base)
    expect(answer.status).toBe(200)
    expect(Number(answer.headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
  }
  let last = await asks(token)
  while (last.status === 200) {
    last = await asks(token)
  }
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(60)
  clock.move(60_000)
  expect((await asks(token)).status).toBe(200)
})

test('events keep their order, and the agent’s hourly limit uses the true time', async () => {
  const { agent } = await newAgent(at)
  const { client } = await newPlatform(at)
  const submit = () => client.events.submit(agent.id, { type: 'task.completed' })
  clock.move(HOUR_MS)
  const ahead = await submit()
  clock.move(-HOUR_MS)
  for (let i = 0; i < 3; i++) {
    expect((await submit()).createdAt).toBe(ahead.createdAt)
  }
  await expect(submit()).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  clock.move(HOUR_MS)
  await submit()
  expect(await at.anyone.score.get(agent.id)).toMatchObject({ eventCount: 5 })
})

test('the time stands still over a small step back of the clock', async () => {
  const { owner, client } = await newOwner(at)
  clock.move(-2_000)
  const { createdAt } = await client.agents.register({ displayName: 'next' })
  expect(Date.parse(createdAt)).toBeGreaterThanOrEqual(Date.parse(owner.createdAt))
  clock.move(2_000)
})
