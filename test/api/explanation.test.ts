import type { Contributions, ScoreExplanation } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

const sum = (parts: readonly { readonly points: number }[] = []) =>
  parts.reduce((total, { points }) => total + points, 0)

/** Each way of dividing it gives the whole, in whole points. */
function expectSums({ time, correction, ...groups }: Contributions, whole: number): void {
  for (const group of [groups.dimensions, groups.types, groups.reporters]) {
    if (group) {
      expect(time + correction + sum(group)).toBe(whole)
    }
  }
}

async function agentWithHistory() {
  const one = await newPlatform(at)
  const two = await newPlatform(at)
  const { agent, owner, client } = await newAgent(at)
  await one.client.events.report(
    agent.id,
    Array.from({ length: 20 }, () => ({ type: 'task.completed' as const })),
  )
  await client.events.submit(agent.id, { type: 'uptime.report' })
  await two.client.events.submit(agent.id, { type: 'payment.completed', data: { amount: 250 } })
  const failed = await one.client.events.submit(agent.id, { type: 'payment.disputed' })
  return { agent, owner, client, one, two, failed }
}

describe('an explanation', () => {
  test('has parts that sum to the score exactly, and gives reason codes', async () => {
    const { agent } = await agentWithHistory()
    const score = await at.anyone.score.get(agent.id)
    const explained = await at.anyone.score.explain(agent.id)
    expect(explained).toMatchObject({
      agentId: agent.id,
      score: score.score,
      classification: score.classification,
      contributions: { start: 100, time: 0, correction: 0 },
    })
    expectSums(explained.contributions, score.score - 100)
    const events = explained.contributions.types.map((one) => [one.type, one.events])
    expect(events).toEqual([
      ['task.completed', 20],
      ['payment.completed', 1],
      ['payment.disputed', 1],
      ['uptime.report', 1],
    ])
    const codes = explained.reasons.map(({ code }) => code)
    expect(codes).toContain('payment_failures')
    expect(codes).toContain('few_events')
    expect(codes).toContain('several_reporters')
  })

  test('shows reporters and events only to callers with access to the history', async () => {
    const { agent, owner, client, one, two, failed } = await agentWithHistory()
    const stranger = await newOwner(at)
    for (const who of [at.anyone, stranger.client, one.client]) {
      const text = JSON.stringify(await who.score.explain(agent.id))
      for (const secret of [one.platform.id, two.platform.id, failed.id]) {
        expect(text).not.toContain(secret)
      }
    }
    for (const who of [owner.client, client, at.operator]) {
      const { contributions, events, score } = await who.score.explain(agent.id)
      expectSums(contributions, score - 100)
      const reporters = contributions.reporters?.map(({ reporter }) => reporter?.id) ?? []
      expect(reporters.sort()).toEqual([one.platform.id, two.platform.id, agent.id].sort())
      expect(events?.down).toMatchObject([{ id: failed.id, type: 'payment.disputed' }])
      expect(events?.up).toHaveLength(5)
    }
  })

  test('shows what changed the score since a snapshot', async () => {
    const { agent, owner, one, failed } = await agentWithHistory()
    const [newest, , third] = (await at.anyone.score.getHistory(agent.id)).data
    await one.client.events.submit(agent.id, { type: 'task.timeout' })
    const { since, score } = await owner.client.score.explain(agent.id, { since: third?.id })
    expect(since).toMatchObject({
      snapshot: { id: third?.id, score: third?.score },
      difference: score - (third?.score ?? 0),
      contributions: { correction: 0 },
    })
    if (!since) {
      throw new Error('expected it')
    }
    expectSums(since.contributions, since.difference)
    expect(since.events?.down.map(({ id }) => id)).toContain(failed.id)
    const open = await at.anyone.score.explain(agent.id, { since: newest?.id })
    expect(open.since?.contributions.types).toMatchObject([{ type: 'task.timeout', events: 1 }])
    expect(open.since).not.toHaveProperty('events')
    const other = await agentWithHistory()
    expect(
      await refusal(at.anyone.score.explain(other.agent.id, { since: third?.id })),
    ).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'query.since' }] },
    })
  })

  test('shows what the score would be without an event', async () => {
    const { agent, owner, one, two, failed } = await agentWithHistory()
    const twin = await newAgent(at)
    const twins = await newPlatform(at)
    await one.client.events.report(
      twin.agent.id,
      Array.from({ length: 20 }, () => ({ type: 'task.completed' as const })),
    )
    await twin.client.events.submit(twin.agent.id, { type: 'uptime.report' })
    const paid = { type: 'payment.completed' as const, data: { amount: 250 } }
    await twins.client.events.submit(twin.agent.id, paid)
    const { score } = await at.anyone.score.get(twin.agent.id)
    const { without } = await owner.client.score.explain(agent.id, { without: failed.id })
    const now = (await at.anyone.score.get(agent.id)).score
    expect(without).toEqual({
      eventId: failed.id,
      counts: true,
      score,
      difference: score - now,
    })
    expect(score).toBeGreaterThan(now)
    for (const [who, status] of [
      [at.anyone, 401],
      [two.client, 403],
      [twin.client, 403],
    ] as const) {
      const asked = who.score.explain(agent.id, { without: failed.id })
      expect((await refusal(asked)).status).toBe(status)
    }
    expect(
      await refusal(twin.owner.client.score.explain(twin.agent.id, { without: failed.id })),
    ).toMatchObject({ code: 'VALIDATION_ERROR' })
  })

  test('predicts the score after further credentials of a platform that has issued some', async () => {
    const { agent, owner, one } = await agentWithHistory()
    const named: { credentialId: string; credentialType: string }[] = []
    for (const type of ['Audit', 'Licence', 'Insurance', 'Training', 'Membership']) {
      const credential = await owner.client.credentials.issue({
        agentId: agent.id,
        type,
        claims: {},
      })
      named.push({ credentialId: credential.id, credentialType: type })
    }
    const scores: number[] = []
    for (const [i, data] of named.entries()) {
      if (i === 2) {
        const more = [1, 2, 3].map((count) => `credential.issued:${count}`).join()
        const { after } = await at.anyone.score.explain(agent.id, { more })
        scores.push(...(after ?? []).map(({ score }) => score))
      }
      await one.client.events.submit(agent.id, { type: 'credential.issued', data })
      scores.push((await at.anyone.score.get(agent.id)).score)
    }
    const [, second, ...rest] = scores
    expect(rest.slice(0, 3)).toEqual(rest.slice(3))
    expect(rest[0]).toBeGreaterThan(second ?? Infinity)
    // The fifth type of an issuer counts nothing.
    expect(rest[2]).toBe(rest[1])
  })

  test('predicts the score after more events correctly', async () => {
    const { agent, one } = await agentWithHistory()
    const more = 'task.completed:7'
    const { after } = await at.anyone.score.explain(agent.id, { more })
    await one.client.events.report(
      agent.id,
      Array.from({ length: 7 }, () => ({ type: 'task.completed' as const })),
    )
    const { score } = await at.anyone.score.get(agent.id)
    expect(after).toMatchObject([{ type: 'task.completed', count: 7, score }])
    for (const wrong of ['task.completed', 'task.done:3', 'task.completed:1001', 'task.failed:0']) {
      expect(await refusal(at.anyone.score.explain(agent.id, { more: wrong }))).toMatchObject({
        code: 'VALIDATION_ERROR',
      })
    }
  })

  test('shows ways to the next tier', async () => {
    const { agent } = await agentWithHistory()
    const { nextTier, score } = await at.anyone.score.explain(agent.id)
    expect(nextTier?.pointsMissing).toBe((nextTier?.min ?? 0) - score)
    expect(nextTier?.ways.length).toBeGreaterThan(0)
    const fresh = await newAgent(at)
    expect(await at.anyone.score.explain(fresh.agent.id)).toMatchObject({
      score: 100,
      contributions: { start: 100, time: 0, types: [] },
      nextTier: { classification: 'poor' },
      errorBudget: null,
    })
  })

  test('shows how many failures cost the agent its tier', async () => {
    const { agent, owner, one } = await agentWithHistory()
    const credential = { agentId: agent.id, type: 'SecurityAudit', claims: {} }
    const { id: credentialId } = await owner.client.credentials.issue(credential)
    const data = { credentialId, credentialType: 'SecurityAudit' }
    await one.client.events.submit(agent.id, { type: 'credential.issued', data })
    const { errorBudget, score, classification } = await at.anyone.score.explain(agent.id)
    expect(errorBudget).toMatchObject({ classification, pointsLeft: score - 300 })
    const { events = 0 } = errorBudget?.failures.find(({ type }) => type === 'task.failed') ?? {}
    expect(events).toBeGreaterThan(0)
    for (let i = 0; i < Number(events); i++) {
      await one.client.events.submit(agent.id, { type: 'task.failed' })
      expect(await at.anyone.score.get(agent.id)).toMatchObject({ classification })
    }
    await one.client.events.submit(agent.id, { type: 'task.failed' })
    expect((await at.anyone.score.get(agent.id)).classification).toBe('untrusted')
  })

  test('is cached by its tag, and only its public part by shared caches', async () => {
    const { agent, owner } = await agentWithHistory()
    const url = `${at.url}/v1/agents/${agent.id}/score/explanation`
    const open = await send(url)
    const etag = open.headers.get('etag') ?? ''
    expect(open.headers.get('cache-control')).toMatch(/^public/)
    expect((await send(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const all = await send(url, { key: owner.token })
    expect(all.headers.get('cache-control')).toBe('private, no-cache')
    expect(all.headers.get('etag')).not.toBe(etag)
    expect((await send(`${at.url}/v1/agents/${OTHER}/score/explanation`)).status).toBe(404)
  })

  test('reflects a review at once', async () => {
    const { agent, owner, one } = await agentWithHistory()
    const held = await one.client.events.submit(agent.id, {
      type: 'task.completed',
      data: { success: false },
    })
    const codes = ({ reasons }: ScoreExplanation) => reasons.map(({ code }) => code)
    const before = await owner.client.score.explain(agent.id, { without: held.id })
    expect(codes(before)).toContain('quarantined_events')
    expect(before.without).toMatchObject({ counts: false, difference: 0 })
    await at.operator.operator.review(held.id, { decision: 'released', reason: 'It is fine.' })
    const after = await owner.client.score.explain(agent.id)
    expect(codes(after)).not.toContain('quarantined_events')
    expect(after.score).toBe((await at.anyone.score.get(agent.id)).score)
    expectSums(after.contributions, after.score - 100)
  })
})

const OTHER = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
