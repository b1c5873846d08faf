import { randomUUID } from 'node:crypto'
import { type DecisionRequest, Standing } from '@standing/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { refusal, send } from '../support/http.ts'
import { newClaim, newEd25519, problemOf, signedBy } from '../support/identifiers.ts'
import { importPast } from '../support/past.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const other = await at.node()

/** An agent with good reports of a verified platform. */
async function knownAgent(count = 60) {
  const { agent, owner, client } = await newAgent(at)
  const { client: platform } = await newPlatform(at, { verified: true })
  await platform.events.report(
    agent.id,
    Array.from({ length: count }, (_, i) =>
      i % 2
        ? { type: 'task.completed' as const }
        : { type: 'payment.completed' as const, data: { amount: 100 + i, currency: 'USD' } },
    ),
  )
  return { agent, owner, client, platform, score: await at.anyone.score.get(agent.id) }
}

describe('a decision about an agent', () => {
  test('names its reasons, and until when it is valid', async () => {
    const { agent, platform, score } = await knownAgent()
    const decision = await platform.decisions.decide({
      agentId: agent.id,
      action: 'purchase',
      policy: { minScore: score.score },
    })
    expect(decision).toEqual({
      decision: 'allow',
      reasons: [
        {
          code: 'own_experience_good',
          message: '60 of your own 60 latest reports are good',
        },
      ],
      agent: {
        id: agent.id,
        displayName: 'agent',
        status: 'active',
        parentId: null,
        createdAt: agent.createdAt,
      },
      score: score.score,
      confidence: 'medium',
      interval: score.interval,
      disputed: score.disputed,
      exposureLimit: score.exposureLimit,
      ownExperience: { good: 60, bad: 0, lastReportAt: expect.any(String) },
      policy: {
        name: null,
        minScore: score.score,
        minConfidence: 'low',
        unknown: 'review',
        disputed: 'review',
        maxExposure: null,
      },
      expiresAt: expect.any(String),
    })
    const validMs = Date.parse(decision.expiresAt) - Date.now()
    expect(validMs).toBeGreaterThan(0)
    expect(validMs).toBeLessThanOrEqual(60_000)
  })

  test('is the same by the agent’s name, and follows the policy for a name without an agent', async () => {
    const { privateKey, jwk } = await newEd25519()
    const identifier = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const { agent, challenge, verify } = await newClaim(at, 'did', identifier)
    const { client } = await newPlatform(at)
    const policy = { minScore: 100, unknown: 'deny' } as const
    const ask = (subject: object) => client.decisions.decide({ ...subject, policy })
    const nobody = { decision: 'deny', agent: null, score: null, ownExperience: null }
    const reasons = [expect.objectContaining({ code: 'agent_unknown' })]
    expect(await ask({ identifier })).toMatchObject({ ...nobody, reasons })
    await verify(await signedBy(privateKey, challenge))
    const decided = await ask({ identifier })
    expect(decided).toMatchObject({ decision: 'allow', agent: { id: agent.id }, score: 100 })
    const { expiresAt: _, ...same } = await ask({ agentId: agent.id })
    expect(decided).toMatchObject(same)
    expect(await ask({ agentId: randomUUID() })).toMatchObject({ ...nobody, reasons })
  })

  test('accepts an amount in its currency', async () => {
    const { agent, platform } = await knownAgent()
    const ask = (amount: number, currency?: string) =>
      platform.decisions.decide({
        agentId: agent.id,
        amount,
        currency,
        policy: { minScore: 0, maxExposure: 10 },
      })
    expect((await ask(1_000, 'JPY')).reasons).not.toMatchObject([{ code: 'above_max_exposure' }])
    expect(await ask(1_000)).toMatchObject({
      decision: 'deny',
      reasons: [{ code: 'above_max_exposure' }],
    })
  })

  test('includes the caller’s own reports at once, and not those of others', async () => {
    const { agent, platform } = await knownAgent()
    const { client: stranger } = await newPlatform(at)
    const policy = { minScore: 0 }
    const ask = (client: Standing) => client.decisions.decide({ agentId: agent.id, policy })
    expect(await ask(stranger)).toMatchObject({ ownExperience: { good: 0, bad: 0 } })
    const bad = { type: 'payment.disputed', data: { amount: 5 } } as const
    await stranger.events.report(agent.id, [bad, bad])
    expect(await ask(stranger)).toMatchObject({
      decision: 'deny',
      reasons: [{ code: 'own_experience_bad', message: '2 of your own 2 latest reports are bad' }],
      ownExperience: { good: 0, bad: 2 },
    })
    expect(await ask(platform)).toMatchObject({ ownExperience: { good: 60, bad: 0 } })
  })

  test('reviews a large deal for the platform that lost those before it, and allows it for another one', async () => {
    const { agent } = await newAgent(at)
    // The second one has an owner, in whose vote it counts.
    const { owner } = await newOwner(at)
    const platforms = [
      await newPlatform(at),
      await newPlatform(at, { ownerId: owner.id }),
      await newPlatform(at),
    ] as const
    const start = Date.now() - 41 * 86_400_000
    const lines = Array.from({ length: 40 * platforms.length * 3 }, (_, i) => {
      const by = i % platforms.length
      const amount = by === 1 ? 10 + (i % 7) / 100 : 1000 + i
      const time = start + i * 9_600_000
      const agentId = agent.id
      return {
        at: time,
        agent: agentId,
        by: platforms[by]?.platform.id ?? '',
        externalId: `order-${i}`,
        type: 'payment.completed',
        data: { amount },
      }
    })
    await importPast(at, lines)
    const ask = async (by: 0 | 1) => {
      const { decision, reasons } = await platforms[by].client.decisions.decide({
        agentId: agent.id,
        amount: 900,
      })
      return { decision, codes: reasons.map(({ code }) => code) }
    }
    expect([await ask(0), await ask(1)]).toMatchObject([
      { decision: 'allow' },
      { decision: 'allow' },
    ])
    const disputed = { type: 'payment.disputed', data: { amount: 900 } } as const
    await platforms[1].client.events.report(agent.id, [disputed, disputed])
    expect(await ask(0)).toMatchObject({ decision: 'allow' })
    expect(await ask(1)).toEqual({ decision: 'review', codes: ['above_exposure_limit'] })
  })

  test('includes the caller’s own reports also after thousands by the agent itself', async () => {
    const { agent, client } = await newAgent(at)
    const { client: platform } = await newPlatform(at)
    const disputed = { type: 'payment.disputed', data: { amount: 5 } } as const
    await platform.events.report(agent.id, [disputed, disputed, disputed])
    const ask = () => platform.decisions.decide({ agentId: agent.id, policy: { minScore: 0 } })
    const denied = { decision: 'deny', reasons: [{ code: 'own_experience_bad' }] }
    expect(await ask()).toMatchObject({ ...denied, ownExperience: { good: 0, bad: 3 } })
    const praise = Array.from({ length: 2_100 }, (_, i) => ({
      type: 'task.completed' as const,
      data: { duration: 1000 + i },
    }))
    await client.events.report(agent.id, praise)
    expect(await ask()).toMatchObject({ ...denied, ownExperience: { good: 0, bad: 3 } })
  })

  test('includes a quarantined report of the caller once a review has released it', async () => {
    const { agent, platform } = await knownAgent(2)
    const contradictory = { type: 'task.completed', data: { success: false } } as const
    const event = await platform.events.submit(agent.id, contradictory)
    expect(event).toMatchObject({ isQuarantined: true })
    const ask = () => platform.decisions.decide({ agentId: agent.id, policy: { minScore: 0 } })
    expect(await ask()).toMatchObject({ ownExperience: { good: 2, bad: 0 } })
    const { review } = at.operator.operator
    await review(event.id, { decision: 'released', reason: 'A mistake in the report.' })
    const { ownExperience } = await ask()
    expect((ownExperience?.good ?? 0) + (ownExperience?.bad ?? 0)).toBe(3)
  })

  test('can be requested by owners, agents and the operator, who have no experience of their own', async () => {
    const { agent } = await knownAgent(2)
    const asking = await newAgent(at)
    for (const client of [asking.client, asking.owner.client, at.operator]) {
      const decision = await client.decisions.decide({ agentId: agent.id, policy: { minScore: 0 } })
      expect(decision).toMatchObject({ decision: 'allow', ownExperience: null })
    }
    const anonymous = at.anyone.decisions.decide({ agentId: agent.id })
    expect(await refusal(anonymous)).toMatchObject({ code: 'AUTHENTICATION_REQUIRED' })
  })

  test.each([
    [{}, 'identifier'],
    [{ agentId: randomUUID(), identifier: 'a.example.com' }, 'identifier'],
    [{ identifier: 'a', amount: -1 }, 'amount'],
    [{ identifier: 'a', currency: 'USD' }, 'currency'],
    [{ identifier: 'a', amount: 1, currency: 'XYZ' }, 'currency'],
    [{ identifier: 'a', policy: { minScore: 1001 } }, 'policy.minScore'],
    [{ identifier: 'a', policy: { minScore: 500, unknown: 'allow' } }, 'policy.unknown'],
    [{ identifier: 'a', policy: { minscore: 1 } }, 'policy.minscore'],
    [{ identifier: 'a', policy: 'No such name' }, 'policy'],
  ])('is refused for %j, and the field is named', async (request, path) => {
    const { client } = await newPlatform(at)
    const decided = client.decisions.decide(request as DecisionRequest)
    expect(await problemOf(decided)).toMatchObject({ path })
  })

  test.each([
    [{}, 'is required, unless agentId is given'],
    [{ agentId: randomUUID(), identifier: 'a.test' }, 'must not be given together with agentId'],
    [{ identifier: 'a', policy: 5 }, 'must be a string or an object, not a number'],
    [{ identifier: 'a', policy: null }, 'must be a string or an object, not null'],
  ])('is refused for %j with a message that fits what was sent', async (request, message) => {
    const { client } = await newPlatform(at)
    const decided = client.decisions.decide(request as unknown as DecisionRequest)
    expect(await problemOf(decided)).toMatchObject({ message })
  })
})

describe('policies', () => {
  test('are stored by name, replaced as a whole, listed and deleted', async () => {
    const { client } = await newPlatform(at)
    const policy = { minScore: 650, minConfidence: 'medium', maxExposure: 500 } as const
    const stored = await client.policies.put('purchases', policy)
    expect(stored).toEqual({
      name: 'purchases',
      ...policy,
      unknown: 'review',
      disputed: 'review',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await client.policies.get('purchases')).toEqual(stored)
    const replaced = await client.policies.put('purchases', { minScore: 100 })
    expect(replaced).toMatchObject({ minScore: 100, minConfidence: 'low', maxExposure: null })
    expect(replaced.createdAt).toBe(stored.createdAt)
    await client.policies.put('a', {})
    const names: string[] = []
    for await (const { name } of client.policies.list({ limit: 1 })) {
      names.push(name)
    }
    expect(names).toEqual(['a', 'purchases'])
    await client.policies.delete('a')
    const gone = { code: 'NOT_FOUND' }
    expect(await refusal(client.policies.delete('a'))).toMatchObject(gone)
    expect(await refusal(client.policies.get('a'))).toMatchObject(gone)
    const decided = client.decisions.decide({ identifier: 'x', policy: 'a' })
    expect(await problemOf(decided)).toMatchObject({ path: 'policy', code: 'unknown_policy' })
  })

  test('return 201 when they are new, and are in the audit log', async () => {
    const { platform } = await newPlatform(at)
    const url = `${at.url}/v1/policies/one`
    const put = () => send(url, { method: 'PUT', key: platform.apiKey, json: { minScore: 1 } })
    expect((await put()).status).toBe(201)
    expect((await put()).status).toBe(200)
    const { data } = await at.operator.operator.audit({ limit: 1 })
    expect(data[0]).toMatchObject({
      actor: { kind: 'platform', id: platform.id },
      action: 'policy.saved',
      target: { kind: 'policy', id: 'one' },
      details: { minScore: 1 },
    })
  })

  test('belong to the account that stored them; an owner’s agents use the owner’s', async () => {
    const { agent, client, owner } = await newAgent(at)
    const stranger = await newOwner(at)
    await owner.client.policies.put('strict', { minScore: 900 })
    const ask = (as: Standing) => as.decisions.decide({ agentId: agent.id, policy: 'strict' })
    expect(await ask(client)).toMatchObject({ decision: 'deny', policy: { name: 'strict' } })
    expect(await problemOf(ask(stranger.client))).toMatchObject({ code: 'unknown_policy' })
    expect(await refusal(client.policies.get('strict'))).toMatchObject({ code: 'FORBIDDEN' })
  })

  test('are chosen by the name of the action, then the name default, then the service’s own', async () => {
    const { platform, client } = await newPlatform(at)
    const elsewhere = new Standing({ baseUrl: other.url, apiKey: platform.apiKey, retriesMax: 0 })
    const used = async (action?: string) =>
      (await elsewhere.decisions.decide({ identifier: 'x.example.com', action })).policy.name
    expect(await used('refund')).toBeNull()
    await client.policies.put('default', { unknown: 'deny' })
    await expect.poll(() => used('refund')).toBe('default')
    await client.policies.put('refund', { unknown: 'review' })
    await expect.poll(() => used('refund')).toBe('refund')
    expect(await used()).toBe('default')
    await client.policies.delete('default')
    await expect.poll(() => used()).toBeNull()
  })

  test('that contradict themselves are refused with the field, and nothing is stored', async () => {
    const { client } = await newPlatform(at)
    const put = client.policies.put('open', { minScore: 650, unknown: 'allow' })
    expect(await problemOf(put)).toMatchObject({
      path: 'unknown',
      message: expect.stringContaining('would only have to hide its name'),
    })
    expect((await client.policies.list()).data).toEqual([])
    for (const name of ['1.5', 'a b', 'x'.repeat(65), '-a']) {
      expect(await problemOf(client.policies.put(name, {}))).toMatchObject({ path: 'params.name' })
    }
  })

  test('are limited to fifty, also where several are added at once', async () => {
    const { client } = await newPlatform(at)
    for (let i = 0; i < 45; i++) {
      await client.policies.put(`p${i}`, {})
    }
    const added = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => client.policies.put(`more-${i}`, {})),
    )
    expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await refusal(client.policies.put('last', {}))).toMatchObject({
      details: { limit: 'max_policies', max: 50 },
    })
    await client.policies.put('p1', { minScore: 1 })
  })
})

describe('a backtest', () => {
  const period = {
    from: new Date(Date.now() - 3_600_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  }

  test('decides again on the platform’s own deals with what was known before each', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at, { verified: true })
    const { client: stranger } = await newPlatform(at, { verified: true })
    const good = { type: 'payment.completed', data: { amount: 10, currency: 'USD' } } as const
    await stranger.events.submit(agent.id, good)
    await client.events.report(
      agent.id,
      Array.from({ length: 40 }, () => good),
    )
    await client.events.submit(agent.id, { type: 'uptime.report', data: { uptimePercentage: 99 } })
    await client.events.submit(agent.id, { type: 'payment.disputed', data: { amount: 50 } })
    const { score: before } = (await at.anyone.score.getHistory(agent.id)).data[1] ?? { score: 0 }
    await client.policies.put('now', { minScore: 200 })
    const result = await client.policies.backtest('now', period)
    expect(result).toMatchObject({
      policy: { name: 'now', minScore: 200 },
      ...period,
      deals: 41,
      isTruncated: false,
      expectedLossWithout: 1.22,
    })
    const { allow, review, deny } = result
    expect(allow.deals + review.deals + deny.deals).toBe(41)
    expect(allow.bad + review.bad + deny.bad).toBe(1)
    expect(allow.loss + review.loss + deny.loss).toBe(50)
    // A new agent has 100: the first deals were made with one that the policy does not know yet.
    expect(deny.deals).toBeGreaterThan(0)
    expect(before).toBeGreaterThan(200)
    const strict = await client.policies.backtest('any', { ...period, policy: { minScore: 1000 } })
    expect(strict).toMatchObject({
      policy: { name: null, minScore: 1000 },
      allow: { deals: 0, loss: 0 },
      expectedLoss: 0,
    })
  })

  test('is answered for an agent with thousands of snapshots', async () => {
    const { agent } = await newAgent(at)
    const { client } = await newPlatform(at, { verified: true })
    await client.events.submit(agent.id, { type: 'task.completed' })
    await client.policies.put('now', { minScore: 100 })
    const database = createPool({ url: at.database.url }, { max: 1 })
    onTestFinished(() => database.end())
    // As if others had reported ten thousand times in the hour, each with a change of the score.
    await database.query(
      `insert into snapshots
       select (s).agent_id, (s).number + n, gen_random_uuid(), (s).seq + n, (s).score + 200,
         (s).event_count, (s).breakdown, (s).disputed, (s).exposure_limit, (s).trigger,
         (s).model_version, (s).created_at + n, (s).corrected_at
       from (select s from snapshots s where agent_id = $1 order by number desc limit 1) as newest,
         generate_series(1, 10000) as n`,
      [agent.id],
    )
    await database.query('update events set seq = 10002 where agent_id = $1', [agent.id])
    const result = await client.policies.backtest('now', { ...period, policy: { minScore: 300 } })
    // Decided on the last score before the deal.
    expect(result).toMatchObject({ deals: 1, allow: { deals: 1 } })
  })

  test('is reserved to platforms, for a stored policy, within a year', async () => {
    const { owner } = await newAgent(at)
    const { client } = await newPlatform(at)
    const asOwner = owner.client.policies.backtest('now', period)
    expect(await refusal(asOwner)).toMatchObject({ code: 'FORBIDDEN' })
    const unknown = client.policies.backtest('nothing', period)
    expect(await refusal(unknown)).toMatchObject({ code: 'NOT_FOUND' })
    for (const wrong of [
      { from: period.to, to: period.from },
      { from: '2024-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    ]) {
      expect(await problemOf(client.policies.backtest('x', wrong))).toMatchObject({ path: 'to' })
    }
  })
})
