import { createHash, type KeyObject, sign } from 'node:crypto'
import { type EventRecord, Standing } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { thumbprintOf } from '../../src/auth/attestation.ts'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { newSigningKey } from '../support/keys.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService()

const EVENT = { type: 'task.completed', data: { duration: 1200 } } as const

async function signing(platformInput: Partial<Parameters<typeof newPlatform>[1]> = {}) {
  const key = newSigningKey()
  const { platform } = await newPlatform(at, { publicKey: key.publicKey, ...platformInput })
  const options = { baseUrl: at.url, apiKey: platform.apiKey, retriesMax: 0 }
  const signed = new Standing({ ...options, signingKey: key.jwk })
  return { key, platform, signed, unsigned: new Standing(options) }
}

const agent = (await newAgent(at)).agent

const COVERED = ['@method', '@target-uri', 'content-digest', 'content-type']

test('a report signed by the SDK is verified', async () => {
  const { signed, unsigned, key, platform } = await signing()
  expect(await signed.events.submit(agent.id, EVENT)).toMatchObject({
    attestationVerified: true,
    isQuarantined: false,
  })
  const report = await signed.events.report(agent.id, [EVENT, EVENT])
  expect(report.data.map((event) => event?.attestationVerified)).toEqual([true, true])
  expect((await unsigned.events.submit(agent.id, EVENT)).attestationVerified).toBe(false)
  const options = { baseUrl: at.url, apiKey: platform.apiKey, retriesMax: 0 }
  const byPem = new Standing({ ...options, signingKey: key.pem })
  expect((await byPem.events.submit(agent.id, EVENT)).attestationVerified).toBe(true)
})

test('the address of the service is the same in every spelling of STANDING_BASE_URL', async () => {
  const port = await freePort()
  await at.node({ STANDING_BASE_URL: `HTTP://LocalHost:${port}/`, PORT: String(port) })
  const { signed } = await signing()
  const there = signed.with({ baseUrl: `http://localhost:${port}` })
  expect((await there.events.submit(agent.id, EVENT)).attestationVerified).toBe(true)
})

test('a platform can be required to sign: an unsigned report is refused and does not count', async () => {
  const { signed, unsigned } = await signing({ requireAttestation: true })
  const own = (await newAgent(at)).agent
  await expect(unsigned.events.submit(own.id, EVENT)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: 'this platform must sign its reports, and this one has no signature',
    details: { reason: 'attestation_required' },
  })
  // Nor does a forged signature take the name that the genuine report will have.
  const order = { type: 'task.failed' as const, externalId: 'order-1' }
  const forged = unsigned.with({ signingKey: newSigningKey().jwk })
  await expect(forged.events.submit(own.id, order)).rejects.toMatchObject({
    code: 'FORBIDDEN',
    message: expect.stringContaining('and this signature is not valid: '),
  })
  expect((await at.anyone.score.get(own.id)).eventCount).toBe(0)
  expect(await signed.events.submit(own.id, order)).toMatchObject({ isQuarantined: false })
  expect((await signed.events.submit(own.id, EVENT)).attestationVerified).toBe(true)
  await expect(newPlatform(at, { requireAttestation: true })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'requireAttestation' }] },
  })
})

test('a key is rotated with an overlap, or replaced at once on request', async () => {
  const { platform, signed } = await signing()
  const { operator } = at.operator
  const next = newSigningKey()
  const rotated = await operator.updatePlatform(platform.id, { publicKey: next.publicKey })
  expect(rotated.previousKey).toMatchObject({ publicKey: platform.publicKey })
  expect((await signed.events.submit(agent.id, EVENT)).attestationVerified).toBe(true)
  const renewed = signed.with({ signingKey: next.jwk })
  expect((await renewed.events.submit(agent.id, EVENT)).attestationVerified).toBe(true)

  const last = newSigningKey()
  const cut = { publicKey: last.publicKey, previousKeyOverlapSeconds: 0 }
  expect((await operator.updatePlatform(platform.id, cut)).previousKey).toBeNull()
  const late = await renewed.events.submit(agent.id, EVENT)
  expect(late).toMatchObject({ isQuarantined: true, fraudFlags: ['attestation_invalid'] })
  expect(late.quarantineReason).toContain('keyid')
})

describe('an invalid signature', () => {
  interface Forgery {
    readonly why: string
    readonly says: RegExp
    readonly components?: readonly string[]
    readonly created?: number
    readonly keyid?: string
    readonly alg?: string
    readonly signedUri?: (uri: string) => string
    readonly digestOf?: (body: string) => string
    readonly header?: (digest: string) => string
    /** What was signed, where the header says otherwise. */
    readonly signedBody?: string
    readonly key?: KeyObject
    /** Where the signature of a proxy is. */
    readonly besides?: 'first' | 'last'
  }
  const now = () => Math.floor(Date.now() / 1000)
  const forgeries: readonly Forgery[] = [
    { why: 'covers too little', says: /required|polic|component/i, components: ['@method'] },
    {
      why: 'covers other components',
      says: /required|polic|component/i,
      components: ['@method', '@path', 'content-digest', 'content-type'],
    },
    { why: 'has expired', says: /age|expired|old|polic/i, created: now() - 400 },
    { why: 'is of the future', says: /future|skew|polic|created/i, created: now() + 400 },
    { why: 'is by an unknown key', says: /keyid/, keyid: newSigningKey().publicKey },
    { why: 'is by another key', says: /verif/i, key: newSigningKey().privateKey },
    { why: 'is over another address', says: /verif/i, signedUri: (uri) => `${uri}/batch` },
    { why: 'is over another service', says: /verif/i, signedUri: (uri) => uri.replace(/:\d+/, '') },
    { why: 'is over another body', says: /verif/i, signedBody: '{"type":"task.failed"}' },
    {
      why: 'has a digest that does not match the body',
      says: /Content-Digest/,
      digestOf: () => '{"type":"task.failed"}',
    },
    { why: 'names another algorithm', says: /alg|polic/i, alg: 'hmac-sha256' },
    { why: 'has no digest we know', says: /sha-256/, header: () => 'md5=:AAAA:' },
    {
      why: 'names its digest as a member of every object',
      says: /sha-256/,
      header: () => 'constructor=:AAAA:',
    },
    {
      why: 'has a second digest that is wrong',
      says: /sha-512/,
      header: (d) => `${d}, sha-512=:AAAA:`,
    },
  ]

  test.each(forgeries)(
    'because it $why: the event is quarantined, and the score stays',
    async (forgery) => {
      const { platform, key } = await signing()
      const own = (await newAgent(at)).agent
      const before = await at.anyone.score.get(own.id)
      const { event } = await post(own.id, platform.apiKey, {
        key: key.privateKey,
        keyid: key.publicKey,
        ...forgery,
      })
      expect(event).toMatchObject({
        isQuarantined: true,
        attestationVerified: false,
        fraudFlags: ['attestation_invalid'],
      })
      expect(event.quarantineReason).toMatch(forgery.says)
      const after = await at.anyone.score.get(own.id)
      expect(after).toMatchObject({
        score: before.score,
        eventCount: 0,
        evidence: { quarantined: 1 },
      })
    },
  )

  async function post(agentId: string, apiKey: string, forgery: Omit<Forgery, 'why' | 'says'>) {
    const url = `${at.url}/v1/agents/${agentId}/events`
    const body = JSON.stringify(EVENT)
    const digested = forgery.digestOf?.(body) ?? body
    const digestOf = (text: string) =>
      `sha-256=:${createHash('sha256').update(text).digest('base64')}:`
    const digest = forgery.header?.(digestOf(digested)) ?? digestOf(digested)
    const values: Record<string, string> = {
      '@method': 'POST',
      '@target-uri': forgery.signedUri?.(url) ?? url,
      '@path': new URL(url).pathname,
      'content-digest': forgery.signedBody ? digestOf(forgery.signedBody) : digest,
      'content-type': 'application/json',
    }
    const components = forgery.components ?? COVERED
    const list = components.map((name) => `"${name}"`).join(' ')
    const { created = now(), keyid, alg = 'ed25519', key } = forgery
    const parameters = `(${list});created=${created};keyid="${keyid}";alg="${alg}"`
    const lines = components.map((name) => `"${name}": ${values[name]}`)
    const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
    const signature = sign(null, Buffer.from(base), key as KeyObject).toString('base64')
    const beside = (own: string, proxy: string) =>
      ({ first: `${proxy}, ${own}`, last: `${own}, ${proxy}`, none: own })[
        forgery.besides ?? 'none'
      ]
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'application/json',
      'content-digest': digest,
      'signature-input': beside(`sig=${parameters}`, 'proxy=("@method");created=1;keyid="p"'),
      signature: beside(`sig=:${signature}:`, 'proxy=:AAAA:'),
    }
    const send = async () => {
      const response = await fetch(url, { method: 'POST', headers, body })
      return { status: response.status, event: (await response.json()) as EventRecord }
    }
    return { ...(await send()), send }
  }

  test('a signature is valid beside those of others, such as a proxy', async () => {
    const { platform, key } = await signing()
    const own = (await newAgent(at)).agent
    const given = { key: key.privateKey, keyid: key.publicKey }
    for (const place of ['first', 'last'] as const) {
      const { event } = await post(own.id, platform.apiKey, { ...given, besides: place })
      expect(event).toMatchObject({ attestationVerified: true, isQuarantined: false })
    }
    const forged = { ...given, key: newSigningKey().privateKey, besides: 'last' } as const
    expect((await post(own.id, platform.apiKey, forged)).event).toMatchObject({
      attestationVerified: false,
      fraudFlags: ['attestation_invalid'],
    })
  })

  test('a signature is valid under any name of its key, except another key’s name', async () => {
    const { platform, key } = await signing()
    const names = [key.publicKey, thumbprintOf(key.publicKey), platform.id, 'key-1']
    for (const keyid of names) {
      const own = (await newAgent(at)).agent
      const { event } = await post(own.id, platform.apiKey, { key: key.privateKey, keyid })
      expect([keyid, event.attestationVerified, event.isQuarantined]).toEqual([keyid, true, false])
    }
    const stranger = newSigningKey().privateKey
    const { event } = await post(agent.id, platform.apiKey, { key: stranger, keyid: platform.id })
    expect(event).toMatchObject({ isQuarantined: true, fraudFlags: ['attestation_invalid'] })
  })

  test('a signed event can be repeated any number of times, and counts once', async () => {
    const { platform, key } = await signing()
    const own = (await newAgent(at)).agent
    const first = await post(own.id, platform.apiKey, { key: key.privateKey, keyid: key.publicKey })
    expect(first).toMatchObject({ status: 201, event: { attestationVerified: true } })
    const again = await Promise.all(Array.from({ length: 20 }, () => first.send()))
    for (const { status, event } of again) {
      expect(status).toBe(200)
      expect(event.id).toBe(first.event.id)
    }
    expect((await at.anyone.score.get(own.id)).eventCount).toBe(1)
  })
})

test('a platform without a key can submit signatures of others', async () => {
  const { platform } = await newPlatform(at)
  const options = { baseUrl: at.url, apiKey: platform.apiKey, retriesMax: 0 }
  const signed = new Standing({ ...options, signingKey: newSigningKey().jwk })
  expect(await signed.events.submit(agent.id, EVENT)).toMatchObject({
    attestationVerified: false,
    isQuarantined: false,
  })
})

test('an invalid key is refused at once', async () => {
  const { platform } = await newPlatform(at)
  const options = { baseUrl: at.url, apiKey: platform.apiKey, retriesMax: 0 }
  const wrong = new Standing({ ...options, signingKey: 'not a key' })
  await expect(wrong.events.submit(agent.id, EVENT)).rejects.toMatchObject({ code: 'INVALID_CALL' })
})
