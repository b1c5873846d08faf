import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { refusal } from '../support/http.ts'
import { newOwner, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T23:00:00.000Z')
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: clock.now })

const TOO_MANY = {
  status: 429,
  code: 'RATE_LIMIT_EXCEEDED',
  message:
    '200 agents of this account were registered today, those included that are deactivated; the next day begins at ' +
    '2026-06-16T00:00:00.000Z',
  details: { limit: 'registrations_per_day', max: 200 },
}

test('an account in the Free tier has 200 agents registered on a day, deactivated ones included', async () => {
  const [{ client, owner, token }, other] = [await newOwner(at), await newOwner(at)]
  const register = () => client.agents.register({ displayName: 'a' })
  const kept = await register()
  const offered = await other.client.agents.register({ displayName: 'offered' })
  for (let i = 1; i < 200; i++) {
    await client.agents.deactivate((await register()).id)
  }
  expect(await refusal(register())).toMatchObject(TOO_MANY)
  const answer = await fetch(`${at.url}/v1/agents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: 'a' }),
  })
  expect(answer.headers.get('retry-after')).toBe('3600')
  expect(await refusal(client.agents.registerSuccessor(kept.id))).toMatchObject(TOO_MANY)
  const transfer = await other.client.transfers.offer(offered.id, { toOwnerId: owner.id })
  expect(await refusal(client.transfers.accept(transfer.id))).toMatchObject(TOO_MANY)
  expect(await client.agents.get(kept.id)).toMatchObject({ status: 'active' })

  clock.moveTo('2026-06-16T00:00:00.000Z')
  await register()
  await client.agents.registerSuccessor(kept.id)
})
