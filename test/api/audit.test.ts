import { expect, test } from 'vitest'
import type { ChainedRow } from '../../src/store/store.ts'
import { brokenAt } from '../support/audit-chain.ts'
import {
  newAgent,
  newOwner,
  newPlatform,
  OPERATOR_KEY,
  PASSWORD,
  startService,
} from '../support/service.ts'

const at = await startService()
const { operator } = at.operator

async function exported(after = 0): Promise<readonly ChainedRow[]> {
  const response = await fetch(`${at.url}/v1/operator/audit/export?after=${after}`, {
    headers: { 'x-api-key': OPERATOR_KEY },
  })
  expect(response.headers.get('content-type')).toContain('application/x-ndjson')
  const lines = (await response.text()).split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const row = JSON.parse(line)
    return { ...row, createdAt: Date.parse(row.createdAt) }
  })
}

test('every decision, key, tier and failed sign-in is recorded: who, when, why', async () => {
  const owner = await newOwner(at)
  const { agent } = await newAgent(at, owner)
  await owner.client.agents.rotateKey(agent.id)
  const { platform, client } = await newPlatform(at)
  await operator.rotatePlatformKey(platform.id)
  await operator.setOwnerTier(owner.owner.id, 'growth')
  await operator.updateRule('burst', { mode: 'shadow' })
  const held = await client.events.submit(agent.id, {
    type: 'task.completed',
    data: { success: false },
  })
  await operator.review(held.id, { decision: 'upheld', reason: 'not plausible' })
  await owner.client.events.appeal(held.id, 'it is')
  await operator.setAgentStatus(agent.id, { status: 'suspended', reason: 'asked to' })
  const wrong = { email: owner.email, password: `not ${PASSWORD}` }
  await expect(at.anyone.auth.login(wrong)).rejects.toMatchObject({ status: 401 })
  await owner.client.agents.deactivate(agent.id)

  const all = await exported()
  expect(all.map(({ action }) => action)).toEqual([
    'operator.created',
    'owner.registered',
    'agent.key_issued',
    'agent.key_rotated',
    'platform.created',
    'platform.key_rotated',
    'owner.tier_set',
    'rule.updated',
    'event.reviewed',
    'event.appealed',
    'agent.status_set',
    'owner.login_failed',
    'agent.deactivated',
  ])
  const review = all.find(({ action }) => action === 'event.reviewed')
  expect(review).toMatchObject({
    actor: { kind: 'operator', name: 'settings' },
    target: { kind: 'event', id: held.id },
    details: { decision: 'upheld', reason: 'not plausible' },
  })
  const failed = all.find(({ action }) => action === 'owner.login_failed')
  expect(failed).toMatchObject({
    actor: { kind: 'anonymous' },
    target: { kind: 'owner', id: owner.owner.id },
    details: {},
  })
  expect(JSON.stringify(all)).not.toContain(PASSWORD)
  const listed = await operator.audit({ limit: 5 })
  expect(listed.data.map(({ number }) => number)).toEqual([13, 12, 11, 10, 9])
})

test('the SDK reads the whole log, from any number on, even while it grows', async () => {
  await newPlatform(at)
  const all = await exported()
  const numbers: number[] = []
  for await (const entry of operator.exportAudit()) {
    expect(entry).toMatchObject({ ...all[numbers.length], createdAt: entry.createdAt })
    numbers.push(entry.number)
  }
  expect(numbers).toEqual(all.map(({ number }) => number))
  const rest: number[] = []
  for await (const { number } of operator.exportAudit({ after: all.length - 2 })) {
    rest.push(number)
    if (rest.length === 1) {
      await newPlatform(at)
    }
  }
  expect(rest).toEqual([all.length - 1, all.length, all.length + 1])
  const stranger = at.anyone.operator.exportAudit()
  await expect(stranger.next()).rejects.toMatchObject({ code: 'AUTHENTICATION_REQUIRED' })
})

test('the log is a chain: a changed or removed entry breaks it', async () => {
  await Promise.all(Array.from({ length: 12 }, () => newPlatform(at)))
  const all = await exported()
  expect(all.map(({ number }) => number)).toEqual(all.map((_, index) => index + 1))
  expect(brokenAt(all)).toBeNull()
  expect(brokenAt(all.slice(1), all[0]?.hash)).toBeNull()
  const [changed] = all.slice(4)
  const forged = all.map((row) => (row === changed ? { ...row, action: 'nothing' } : row))
  expect(brokenAt(forged)?.number).toBe(5)
  expect(brokenAt(all.filter((row) => row !== changed))?.number).toBe(6)
  expect((await exported(all.length - 3)).map(({ number }) => number)).toEqual(
    all.slice(-3).map(({ number }) => number),
  )
})
