import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createSweeper, revokeAll, revokeFallen } from '../../src/credentials/revocation.ts'
import { createStatusLists } from '../../src/credentials/status-list.ts'
import type { Notification } from '../../src/domain/notification.ts'
import type { StatusPurpose } from '../../src/domain/verifiable-credential.ts'
import { createSigningKeys } from '../../src/signing/keys.ts'
import { openVault } from '../../src/startup/root-key.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import type { Store } from '../../src/store/store.ts'
import { partsOf } from '../support/forge.ts'
import { refusal, send } from '../support/http.ts'
import { raiseToPoor } from '../support/poor-agent.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const masterKey = randomBytes(32)
const at = await startService({
  STANDING_SECRET_KEY: masterKey.toString('base64'),
  STANDING_EVENTS_PER_AGENT_HOUR: '1000000',
  STANDING_RATE_LIMITS: 'off',
})
const pool = createPool({ url: at.database.url }, { max: 4 })
afterAll(() => pool.end())
const store = createPostgresStore(pool)
const { client: platform } = await newPlatform(at)
const DAY_MS = 86_400_000

/** An agent that is Poor, and not yet Fair. */
async function poorAgent() {
  const { agent, owner } = await newAgent(at)
  const confirmed = await raiseToPoor(agent.id, owner.client, platform)
  const { score } = await at.anyone.score.get(agent.id)
  expect(score).toBeGreaterThanOrEqual(300)
  const fail = (count: number) =>
    platform.events.report(
      agent.id,
      Array.from({ length: count }, () => ({ type: 'task.failed' as const })),
    )
  return { agent, owner, credentials: owner.client.credentials, confirmed, fail, score }
}

describe('a score credential', () => {
  test('is a statement of the service, and contains no more than was requested', async () => {
    const { agent, credentials } = await poorAgent()
    const credential = await credentials.issueScore(agent.id, { atLeast: 'poor' })
    const { modelVersion } = await at.anyone.score.get(agent.id)
    const claims = {
      atLeast: 'poor',
      on: new Date().toISOString().slice(0, 10),
      confidence: 'medium',
      modelVersion,
    }
    const did = `did:web:127.0.0.1%3A${new URL(at.url).port}`
    expect(credential).toMatchObject({
      agentId: agent.id,
      issuerId: did,
      type: 'StandingScore',
      claims,
      status: 'active',
    })
    expect(Object.keys(credential.claims)).toEqual(Object.keys(claims))
    const days = (Date.parse(credential.expiresAt ?? '') - Date.parse(credential.issuedAt)) / DAY_MS
    expect(Math.round(days)).toBe(30)
    const { payload } = partsOf(credential.jwt)
    expect(payload).toMatchObject({ type: ['VerifiableCredential', 'StandingScore'], issuer: did })
    expect(payload).not.toHaveProperty('assertedBy')
    expect(await credentials.verify(credential.id)).toMatchObject({ valid: true, claims })
  })

  test('does not raise the score that it states', async () => {
    const { agent, credentials } = await poorAgent()
    const { computedAt: _then, ...before } = await at.anyone.score.get(agent.id)
    const credential = await credentials.issueScore(agent.id, { atLeast: 'poor' })
    await credentials.revoke(credential.id)
    expect(await at.anyone.score.get(agent.id)).toMatchObject(before)
  })

  test('is issued only if it is true, and only to the owner of an active agent', async () => {
    const { agent, credentials, owner } = await poorAgent()
    const ask = (atLeast: 'poor' | 'excellent') => credentials.issueScore(agent.id, { atLeast })
    expect(await refusal(ask('excellent'))).toMatchObject({
      code: 'CONFLICT',
      details: { reason: 'score_too_low', classification: 'poor' },
    })
    const stranger = (await newOwner(at)).client.credentials
    expect(await refusal(stranger.issueScore(agent.id, { atLeast: 'poor' }))).toMatchObject({
      status: 403,
    })
    const url = `${at.url}/v1/agents/${agent.id}/score/credential`
    const far = new Date(Date.now() + 91 * DAY_MS).toISOString()
    for (const wrong of [
      { atLeast: 'untrusted' },
      {},
      { atLeast: 'poor', expiresAt: far },
      { atLeast: 'poor', expiresAt: '2020-01-01T00:00:00.000Z' },
    ]) {
      expect((await send(url, { key: owner.token, json: wrong })).status).toBe(400)
    }
    await owner.client.agents.deactivate(agent.id)
    expect(await refusal(ask('poor'))).toMatchObject({
      details: { reason: 'agent_deactivated' },
    })
  })

  test('is revoked by the event that makes it untrue, together with others', async () => {
    const { agent, credentials, fail } = await poorAgent()
    const score = await credentials.issueScore(agent.id, { atLeast: 'poor' })
    const again = await credentials.issueScore(agent.id, { atLeast: 'poor' })
    const own = await credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} })
    await fail(100)
    expect((await at.anyone.score.get(agent.id)).score).toBeLessThan(300)
    for (const { id } of [score, again]) {
      expect(await store.credentials.find({ id })).toMatchObject({ revocationReason: 'score_fell' })
    }
    expect(await credentials.verify(score.id)).toMatchObject({ valid: false, status: 'revoked' })
    expect(await credentials.verify(own.id)).toMatchObject({ valid: true })
    expect(await store.agentStates.find({ agentId: agent.id })).toMatchObject({
      credentialFloor: 0,
    })
  })

  test('does not count in the credential floor any more when it is revoked, by id or with all others', async () => {
    const { agent, owner, credentials } = await poorAgent()
    const floorOf = async () =>
      (await store.agentStates.find({ agentId: agent.id }))?.credentialFloor
    const [one, other] = [
      await credentials.issueScore(agent.id, { atLeast: 'poor' }),
      await credentials.issueScore(agent.id, { atLeast: 'poor' }),
    ]
    const floor = await floorOf()
    expect(floor).toBeGreaterThan(0)
    await credentials.revoke(one.id)
    expect(await floorOf()).toBe(floor)
    await credentials.revoke(other.id)
    expect(await floorOf()).toBe(0)
    await credentials.issueScore(agent.id, { atLeast: 'poor' })
    expect(await floorOf()).toBe(floor)
    await owner.client.agents.deactivate(agent.id)
    expect(await floorOf()).toBe(0)
  })

  test('stays valid while the score stays in its tier', async () => {
    const { agent, credentials, fail, score } = await poorAgent()
    const { id } = await credentials.issueScore(agent.id, { atLeast: 'poor' })
    await fail(1)
    const { score: now } = await at.anyone.score.get(agent.id)
    expect(now).toBeLessThan(score)
    expect(now).toBeGreaterThanOrEqual(300)
    expect(await credentials.verify(id)).toMatchObject({ valid: true })
  })

  test('is revoked when a review releases a quarantined event that lowers the score', async () => {
    const { agent, credentials, fail } = await poorAgent()
    await fail(3)
    const { score } = await at.anyone.score.get(agent.id)
    const { id } = await credentials.issueScore(agent.id, { atLeast: 'poor' })
    // What it claims is set just below the score, so that one bad event is enough.
    await pool.query('update credentials set minimum_score = $2 where id = $1', [id, score])
    await pool.query('update agent_states set credential_floor = $2 where agent_id = $1', [
      agent.id,
      score,
    ])
    const held = await platform.events.submit(agent.id, {
      type: 'task.failed',
      data: { success: true },
    })
    expect(held.isQuarantined).toBe(true)
    expect(await store.credentials.find({ id })).toMatchObject({ revokedAt: null })
    await at.operator.operator.review(held.id, { decision: 'released', reason: 'a slip' })
    expect(await store.credentials.find({ id })).toMatchObject({ revocationReason: 'score_fell' })
  })
})

describe('the passing of days', () => {
  const later = Date.now() + 60 * DAY_MS
  const untilThen = new Date(later + 20 * DAY_MS).toISOString()

  test('revokes credentials that became untrue, once a day, and keeps those that are still true', async () => {
    const [faded, kept] = [await poorAgent(), await poorAgent()]
    const issue = ({ agent, credentials }: typeof faded) =>
      credentials.issueScore(agent.id, { atLeast: 'poor', expiresAt: untilThen })
    const [one, other] = [await issue(faded), await issue(kept)]
    // After two months of silence the score is lower than today, by less than this.
    await pool.query('update credentials set minimum_score = 1 where id = $1', [other.id])
    await pool.query('update agent_states set credential_floor = 1 where agent_id = $1', [
      kept.agent.id,
    ])
    await pool.query('update credentials set minimum_score = 1000 where id = $1', [one.id])
    await pool.query('update agent_states set credential_floor = 1000 where agent_id = $1', [
      faded.agent.id,
    ])
    const onFailed = (error: unknown) => expect(error).toBeNull()
    const sweeper = createSweeper({ store, now: () => later, onFailed })
    await Promise.all([sweeper.today(), sweeper.today()])
    expect(await store.credentials.find({ id: one.id })).toMatchObject({
      revokedAt: later,
      revocationReason: 'score_fell',
    })
    expect(await store.credentials.find({ id: other.id })).toMatchObject({ revokedAt: null })
  })

  test('keeps no status list back for longer than a second, however many agents there are', async () => {
    const { agent, credentials } = await poorAgent()
    const { jwt } = await credentials.issueScore(agent.id, { atLeast: 'poor' })
    const [entry] = partsOf(jwt).payload.credentialStatus as [{ statusListCredential: string }]
    const [list, purpose] = entry.statusListCredential.split('/').slice(-2)
    const vault = await openVault(store, masterKey)
    const lists = createStatusLists({
      store,
      now: Date.now,
      keys: await createSigningKeys({ store, vault, now: Date.now }, 'credentials'),
      sweeper: { today: () => new Promise(() => {}) },
      baseUrl: () => at.url,
    })
    const published = await lists.publish(Number(list), purpose as StatusPurpose)
    expect(partsOf(published.jwt).payload).toMatchObject({
      credentialSubject: { statusPurpose: purpose },
    })
  })

  test('is applied before a credential is read, verified, listed or published', async () => {
    for (const way of ['get', 'verify', 'list', 'publish'] as const) {
      const { agent, credentials } = await poorAgent()
      const credential = await credentials.issueScore(agent.id, { atLeast: 'poor' })
      await pool.query('update credentials set minimum_score = 999 where id = $1', [credential.id])
      await pool.query('update agent_states set credential_floor = 999 where agent_id = $1', [
        agent.id,
      ])
      const status = {
        get: async () => (await at.anyone.credentials.get(credential.id)).status,
        verify: async () => (await credentials.verify(credential.id)).status,
        list: async () => (await credentials.list({ agentId: agent.id })).data[0]?.status,
        publish: async () => {
          // A node that has not looked today, as every node is after midnight.
          const { url } = await at.node()
          const [entry] = partsOf(credential.jwt).payload.credentialStatus as [
            { statusListCredential: string },
          ]
          await fetch(entry.statusListCredential.replace(at.url, url))
          return (await store.credentials.find({ id: credential.id }))?.revokedAt
            ? 'revoked'
            : 'active'
        },
      }
      expect([way, await status[way]()]).toEqual([way, 'revoked'])
    }
  })
})

test('webhooks get each revoked credential, and the reason', async () => {
  const { agent, owner, credentials, confirmed } = await poorAgent()
  const score = await credentials.issueScore(agent.id, { atLeast: 'poor' })
  const own = await credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} })
  const published: Notification[] = []
  const listening: Store = {
    ...store,
    notifications: {
      ...store.notifications,
      insertAll: async (notifications) => void published.push(...notifications),
    },
  }
  const now = Date.now()
  await revokeFallen(listening, agent.id, 299, now)
  await revokeAll(listening, agent.id, now)
  const notification = { type: 'credential.revoked', ownerId: owner.owner.id, agentId: agent.id }
  const revokedAt = new Date(now).toISOString()
  const data = { agentId: agent.id, revokedAt }
  expect(published).toEqual([
    {
      ...notification,
      createdAt: now,
      data: { ...data, credentialId: score.id, type: 'StandingScore', reason: 'score_fell' },
    },
    ...[
      { credentialId: confirmed[0], type: 'Kyc' },
      { credentialId: confirmed[1], type: 'Insurance' },
      { credentialId: own.id, type: 'Audit' },
    ].map((one) => ({
      ...notification,
      createdAt: now,
      data: { ...data, ...one, reason: 'agent_deactivated' },
    })),
  ])
})
