import { Standing } from '@standing/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recheckDue } from '../../src/identifiers/recheck.ts'
import { createIds } from '../../src/lib/ids.ts'
import { createOutbound } from '../../src/outbound/outbound.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'
import { createTestClock } from '../support/clock.ts'
import { startDns } from '../support/dns.ts'
import { eventually } from '../support/eventually.ts'
import { waitForLocks } from '../support/hold-locks.ts'
import { startHost } from '../support/host.ts'
import { refusal, send } from '../support/http.ts'
import {
  CHALLENGE_PATH,
  newClaim,
  newEd25519,
  problemOf,
  signedBy,
} from '../support/identifiers.ts'
import { type Body, startReceiver } from '../support/receiver.ts'
import { startService } from '../support/service.ts'

const HOUR_MS = 3_600_000
const clock = createTestClock('2026-06-15T11:00:00.000Z')
const dns = await startDns()
const at = await startService(
  { STANDING_RATE_LIMITS: 'off', STANDING_DNS_SERVERS: dns.server },
  { now: clock.now },
)

/** A round of checks on another node, at the time of the clock. */
async function recheck(): Promise<number> {
  const pool = createPool({ url: at.database.url }, { max: 2 })
  const outbound = createOutbound({ allow: ['127.0.0.0/8'], dnsServers: [dns.server] })
  const reading = { outbound, chainRpc: new Map(), now: clock.now }
  try {
    const store = createPostgresStore(pool)
    return await recheckDue({ store, reading, now: clock.now, newId: createIds() })
  } finally {
    await outbound.close()
    await pool.end()
  }
}

/** A verified domain whose owner is notified of everything about identifiers. */
async function verifiedDomain() {
  const host = await startHost()
  const claim = await newClaim(at, 'domain', host.host)
  const receiver = await startReceiver()
  const events = ['identifier.verified', 'identifier.failing', 'identifier.lapsed'] as const
  await claim.owner.client.webhooks.create({ url: receiver.url, events: [...events] })
  host.put(CHALLENGE_PATH, claim.challenge)
  await claim.verify()
  const file = claim.challenge
  return { ...claim, host, receiver, publish: () => host.put(CHALLENGE_PATH, file) }
}

/** Notifications come at least once: the clock of these tests outruns the claims of deliveries. */
function typesOf({ bodies }: { readonly bodies: readonly Body[] }): readonly string[] {
  return [...new Map(bodies.map(({ id, type }) => [id, type])).values()]
}

/** The first notification of a type, once it has come. */
async function bodyOf(receiver: { readonly bodies: readonly Body[] }, type: string): Promise<Body> {
  return eventually(() => {
    const found = receiver.bodies.find((body) => body.type === type)
    if (!found) {
      throw new Error(`no ${type} has come yet`)
    }
    return found
  })
}

describe('a verified name belongs to one agent', () => {
  test('and a second proof is refused until the first one ends', async () => {
    const { host, receiver, read, ...first } = await verifiedDomain()
    const second = await newClaim(at, 'domain', host.host)
    host.put(CHALLENGE_PATH, `${first.challenge}\n${second.challenge}`)
    expect(await refusal(second.verify())).toMatchObject({
      status: 409,
      code: 'CONFLICT',
      details: { reason: 'identifier_taken' },
    })
    expect(await second.read()).toMatchObject({ status: 'claimed' })
    host.put(CHALLENGE_PATH, second.challenge)
    expect(await second.verify()).toMatchObject({ status: 'verified' })
    expect(await read()).toMatchObject({
      status: 'claimed',
      problem: { code: 'wrong_subject', message: 'another agent has proven it since' },
    })
    const lapsed = await bodyOf(receiver, 'identifier.lapsed')
    expect(typesOf(receiver)).toEqual(['identifier.verified', 'identifier.lapsed'])
    expect(lapsed.data).toMatchObject({
      agentId: first.agent.id,
      identifierId: first.identifier.id,
      type: 'domain',
      value: host.host,
    })
  })

  test('and its first agent may give it up while a second one proves it', async () => {
    const { host, agent, identifier } = await verifiedDomain()
    const second = await newClaim(at, 'domain', host.host)
    host.put(CHALLENGE_PATH, second.challenge)
    const pool = createPool({ url: at.database.url }, { max: 2 })
    onTestFinished(() => pool.end())
    let verifying: Promise<unknown> = Promise.resolve()
    await createPostgresStore(pool).transaction(async ({ agentStates, identifiers }) => {
      await agentStates.find({ agentId: agent.id }, { lock: 'wait' })
      verifying = second.verify()
      await waitForLocks(pool, 1)
      const found = await identifiers.find({ agentId: agent.id, id: identifier.id })
      const { agentId, id } = found ?? expect.fail('the name is not there')
      await identifiers.delete({ agentId, id })
    })
    expect(await verifying).toMatchObject({ status: 'verified' })
  })

  test('and it stays there while its host is unreachable', async () => {
    const { challenge, ...first } = await verifiedDomain()
    const { privateKey, jwk } = await newEd25519()
    const did = `did:web:${first.host.host.replace(':', '%3A')}`
    first.host.putJson('/.well-known/did.json', {
      id: did,
      verificationMethod: [{ id: '#a', type: 'JsonWebKey', controller: did, publicKeyJwk: jwk }],
    })
    const one = await newClaim(at, 'did', did)
    await one.verify(await signedBy(privateKey, one.challenge))
    const two = await newClaim(at, 'did', did)
    const signature = await signedBy(privateKey, two.challenge)
    expect(await refusal(two.verify(signature))).toMatchObject({ code: 'CONFLICT' })
    await first.host.close()
    expect(await problemOf(two.verify(signature))).toMatchObject({ code: 'unreachable' })
    expect(await one.read()).toMatchObject({ status: 'verified' })
  })

  test('and one of two agents that prove it at once gets it', async () => {
    const host = await startHost()
    const both = [await newClaim(at, 'domain', host.host), await newClaim(at, 'domain', host.host)]
    host.put(CHALLENGE_PATH, both.map(({ challenge }) => challenge).join('\n'))
    const outcomes = await Promise.allSettled(both.map(({ verify }) => verify()))
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('and a key stays with the agent that proved it until that agent gives it up', async () => {
    const { privateKey, jwk } = await newEd25519()
    const did = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const one = await newClaim(at, 'did', did)
    await one.verify(await signedBy(privateKey, one.challenge))
    const two = await newClaim(at, 'did', did)
    const signature = await signedBy(privateKey, two.challenge)
    expect(await refusal(two.verify(signature))).toMatchObject({ code: 'CONFLICT' })
    await one.client.identifiers.delete(one.agent.id, one.identifier.id)
    expect(await two.verify(signature)).toMatchObject({ status: 'verified' })
    expect(await one.read()).toBeUndefined()
  })

  test('and the name of a deactivated agent is free for the next one that proves it', async () => {
    const { owner, agent, host, publish: _, ...first } = await verifiedDomain()
    await owner.client.agents.deactivate(agent.id)
    const second = await newClaim(at, 'domain', host.host)
    host.put(CHALLENGE_PATH, `${first.challenge}\n${second.challenge}`)
    expect(await second.verify()).toMatchObject({ status: 'verified' })
  })
})

describe('a verified name is checked again', () => {
  test('each day, and stays unchanged while the proof exists', async () => {
    const { read } = await verifiedDomain()
    clock.move(23 * HOUR_MS)
    await recheck()
    expect(await read()).toMatchObject({ checkedAt: '2026-06-15T11:00:00.000Z' })
    clock.move(2 * HOUR_MS)
    expect(await recheck()).toBeGreaterThan(0)
    expect(await read()).toMatchObject({ status: 'verified', problem: null })
    expect((await read())?.checkedAt).toBe(new Date(clock.now()).toISOString())
    expect(await recheck()).toBe(0)
  })

  test('and one missing proof causes a notification, and no loss if it returns within the hour', async () => {
    const { host, receiver, publish, read } = await verifiedDomain()
    host.remove(CHALLENGE_PATH)
    clock.move(25 * HOUR_MS)
    await recheck()
    expect(await read()).toMatchObject({ status: 'verified', problem: { code: 'not_found' } })
    expect(await bodyOf(receiver, 'identifier.failing')).toMatchObject({
      data: { problem: { code: 'not_found' } },
    })
    publish()
    clock.move(HOUR_MS)
    await recheck()
    expect(await read()).toMatchObject({ status: 'verified', problem: null })
  })

  test('and two missing proofs in a row end it: notified, in the audit log, and to be proven again', async () => {
    const { agent, identifier, host, receiver, publish, read, verify } = await verifiedDomain()
    host.put(CHALLENGE_PATH, 'nothing of that kind')
    for (let hours = 25; hours >= 1; hours -= 24) {
      clock.move(hours * HOUR_MS)
      await recheck()
    }
    expect(await read()).toMatchObject({
      status: 'claimed',
      problem: { code: 'challenge_missing' },
    })
    await eventually(() => expect(typesOf(receiver)).toContain('identifier.lapsed'))
    expect(typesOf(receiver)).toEqual([
      'identifier.verified',
      'identifier.failing',
      'identifier.lapsed',
    ])
    const { data } = await at.operator.operator.audit({ limit: 2 })
    expect(data[0]).toMatchObject({
      actor: { kind: 'system', id: null },
      action: 'identifier.lapsed',
      target: { kind: 'agent', id: agent.id },
      details: { identifierId: identifier.id, type: 'domain', value: host.host },
    })
    publish()
    expect(await verify()).toMatchObject({ status: 'verified', problem: null })
  })

  test('and a host that is down for two days keeps its name; for more than three it does not', async () => {
    const { host, read } = await verifiedDomain()
    await host.close()
    clock.move(25 * HOUR_MS)
    await recheck()
    for (const [hours, status] of [
      [48, 'verified'],
      [23, 'verified'],
      [2, 'claimed'],
    ] as const) {
      clock.move(hours * HOUR_MS)
      await recheck()
      expect(await read()).toMatchObject({ status, problem: { code: 'unreachable' } })
    }
  })

  test('and a host whose proxy answers 503 for two days keeps its name', async () => {
    const { host, read } = await verifiedDomain()
    for (const hours of [25, 2, 46]) {
      host.put(CHALLENGE_PATH, { status: 503 })
      clock.move(hours * HOUR_MS)
      await recheck()
      expect(await read()).toMatchObject({ status: 'verified', problem: { code: 'unreachable' } })
    }
  })

  test('and a name in DNS is kept while its servers do not answer, and lost when its record is gone', async () => {
    const claim = await newClaim(at, 'domain', 'kept.test')
    dns.set('kept.test', claim.challenge)
    await claim.verify()
    dns.silence(true)
    clock.move(25 * HOUR_MS)
    await recheck()
    expect(await claim.read()).toMatchObject({
      status: 'verified',
      problem: { code: 'unreachable' },
    })
    dns.silence(false)
    dns.remove('kept.test')
    for (let i = 0; i < 2; i++) {
      clock.move(2 * HOUR_MS)
      await recheck()
    }
    expect(await claim.read()).toMatchObject({ status: 'claimed' })
  })

  test('and the document of a DID is checked for the key that proved it', async () => {
    const host = await startHost()
    const did = `did:web:localhost%3A${host.port}`
    const { privateKey, jwk } = await newEd25519()
    const method = { id: '#a', type: 'JsonWebKey', controller: did, publicKeyJwk: jwk }
    host.putJson('/.well-known/did.json', { id: did, verificationMethod: [method] })
    const { verify, challenge, read } = await newClaim(at, 'did', did)
    await verify(await signedBy(privateKey, challenge))
    const other = await newEd25519()
    host.putJson('/.well-known/did.json', {
      id: did,
      verificationMethod: [{ ...method, publicKeyJwk: other.jwk }],
    })
    clock.move(25 * HOUR_MS)
    await recheck()
    expect(await read()).toMatchObject({ status: 'verified', problem: { code: 'key_not_found' } })
    clock.move(2 * HOUR_MS)
    await recheck()
    expect(await read()).toMatchObject({ status: 'claimed', problem: { code: 'key_not_found' } })
  })
})

test('a repeated Idempotency-Key returns the first response, and nothing is fetched for it', async () => {
  const host = await startHost()
  const { agent, identifier, challenge, owner, read } = await newClaim(at, 'domain', host.host)
  const url = `${at.url}/v1/agents/${agent.id}/identifiers/${identifier.id}/verify`
  const ask = (idempotencyKey: string) =>
    send(url, {
      method: 'POST',
      key: owner.token,
      headers: { 'idempotency-key': idempotencyKey },
    })
  const refused = await ask('one')
  expect(refused.status).toBe(400)
  host.put(CHALLENGE_PATH, challenge)
  const asked = host.requests.length
  const again = await ask('one')
  expect(again.text).toBe(refused.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(host.requests).toHaveLength(asked)
  expect(await read()).toMatchObject({ status: 'claimed' })
  const verified = await ask('two')
  expect(verified.body).toMatchObject({ status: 'verified' })
  expect((await ask('two')).text).toBe(verified.text)
})

test('an agent’s own key and a client without a key see the same public names', async () => {
  const { agent, host } = await verifiedDomain()
  const anyone = new Standing({ baseUrl: at.url, retriesMax: 0 })
  const { data } = await anyone.identifiers.list(agent.id)
  expect(data.map(({ value }) => value)).toEqual([host.host])
})
