import { expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { eventually } from '../support/eventually.ts'
import { importPast } from '../support/past.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

/** The reasons of a score name a limit while the score would be higher without it. */

const DAY_MS = 86_400_000

const clock = createTestClock('2026-06-01T09:00:00.000Z')
const at = await startService({ STANDING_RATE_LIMITS: 'off' }, { now: clock.now, backgroundMs: 50 })
const platforms = [await newPlatform(at), await newPlatform(at)] as const

const reasonsOf = async (id: string) =>
  (await at.anyone.score.explain(id)).reasons.map(({ code }) => code)

/** The client of an owner with a token of today: tokens are good for a day. */
async function renewed({ client, email }: Awaited<ReturnType<typeof newOwner>>) {
  const { token } = await at.anyone.auth.login({ email, password: PASSWORD })
  return client.with({ token })
}

/** Works well for some days, for both platforms. */
async function work(agent: string, days: number) {
  const lines = Array.from({ length: days }, () => {
    clock.move(DAY_MS)
    return platforms.flatMap(({ platform: { id: by } }) =>
      ['task.completed', 'payment.completed'].map((type) => ({ at: clock.now(), agent, by, type })),
    )
  })
  await importPast(at, lines.flat())
}

test('an agent is young by its tenure: from its first good reports, whenever it was registered', async () => {
  const { agent } = await newAgent(at)
  clock.move(100 * DAY_MS)
  expect(await reasonsOf(agent.id)).toEqual(['no_events', 'unverified_identity'])
  for (const { client } of platforms) {
    await client.events.report(agent.id, [{ type: 'task.completed' }, { type: 'task.completed' }])
  }
  const { score, reasons } = await at.anyone.score.explain(agent.id)
  expect(score).toBeLessThan(300)
  expect(reasons).toContainEqual({
    code: 'young',
    effect: 'limits',
    sentence: 'It has fewer than 21 days of tenure: good reports do not count in full yet.',
  })
  await work(agent.id, 21)
  expect(await reasonsOf(agent.id)).not.toContain('young')
})

test('a worse agent of its owner is a reason until the ceiling no longer limits the score', async () => {
  const owner = await newOwner(at)
  const { agent: bad } = await newAgent(at, owner)
  const { agent: reserve } = await newAgent(at, owner)
  const failed = Array.from({ length: 30 }, () => ({ type: 'task.failed' as const }))
  for (const { client } of platforms) {
    await client.events.report(bad.id, failed)
  }
  await eventually(async () => expect(await reasonsOf(reserve.id)).toContain('former_agent'))
  await work(reserve.id, 100)
  expect(await reasonsOf(reserve.id)).toContain('former_agent')
  await work(reserve.id, 265)
  expect((await at.anyone.score.get(reserve.id)).classification).toBe('excellent')
  expect(await reasonsOf(reserve.id)).not.toContain('former_agent')
})

test('what a successor took over counts as reported, and a ceiling by a parent does not', async () => {
  const { agent, owner } = await newAgent(at)
  const child = await owner.client.agents.register({ displayName: 'child', parentId: agent.id })
  await eventually(async () => {
    const { data } = await owner.client.events.list(child.id, { type: 'agent.limited' })
    expect(data).toHaveLength(1)
  })
  // Its parent has a hundred points, and so has it: a credential would not raise it.
  expect(await reasonsOf(child.id)).toEqual(['no_events'])
  await work(agent.id, 125)
  const next = await (await renewed(owner)).agents.registerSuccessor(agent.id)
  const codes = await reasonsOf(next.id)
  expect(codes).toEqual(expect.arrayContaining(['succeeded', 'several_reporters', 'long_record']))
  for (const code of ['few_events', 'self_reported_only', 'no_tasks', 'no_payments']) {
    expect(codes).not.toContain(code)
  }
})

test('a change of owner is a reason until the tenure that it took no longer limits the score', async () => {
  const { agent, owner } = await newAgent(at)
  const buyer = await newOwner(at)
  await work(agent.id, 30)
  const { id } = await (await renewed(owner)).transfers.offer(agent.id, {
    toOwnerId: buyer.owner.id,
  })
  await (await renewed(buyer)).transfers.accept(id)
  expect(await reasonsOf(agent.id)).toContain('new_owner')
  await work(agent.id, 300)
  expect(await reasonsOf(agent.id)).not.toContain('new_owner')
})
