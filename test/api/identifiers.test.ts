import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { IdentifierType } from '@standing/sdk'
import { describe, expect, test } from 'vitest'
import { createTestClock } from '../support/clock.ts'
import { startDns } from '../support/dns.ts'
import { startHost } from '../support/host.ts'
import { refusal } from '../support/http.ts'
import {
  CHALLENGE_PATH,
  newClaim,
  newEd25519,
  problemOf,
  signedBy,
} from '../support/identifiers.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const clock = createTestClock('2026-06-15T11:00:00.000Z')
const dns = await startDns()
const at = await startService(
  { STANDING_RATE_LIMITS: 'off', STANDING_DNS_SERVERS: dns.server },
  { now: clock.now },
)

const claimed = (type: IdentifierType, value: string) => newClaim(at, type, value)

describe('a claim', () => {
  test('has a challenge that names this service and the agent, and says where it proves the name', async () => {
    const { agent, identifier } = await claimed('domain', 'Agent.Example.com')
    expect(identifier).toEqual({
      id: expect.any(String),
      agentId: agent.id,
      type: 'domain',
      value: 'agent.example.com',
      status: 'claimed',
      challenge: expect.stringMatching(
        new RegExp(`^standing-challenge=${at.url}/agents/${agent.id}#[\\w-]{22}$`),
      ),
      ways: [
        {
          method: 'well_known',
          location: 'https://agent.example.com/.well-known/standing-challenge',
        },
        { method: 'dns', location: '_standing-challenge.agent.example.com' },
      ],
      proof: null,
      problem: null,
      createdAt: '2026-06-15T11:00:00.000Z',
      verifiedAt: null,
      checkedAt: null,
    })
  })

  test('of the same name again is the same claim', async () => {
    const { agent, client, identifier } = await claimed('domain', 'again.example.com')
    const again = { type: 'domain', value: 'AGAIN.example.com.' } as const
    expect(await client.identifiers.claim(agent.id, again)).toEqual(identifier)
    expect((await client.identifiers.list(agent.id)).data).toHaveLength(1)
  })

  test('of a key directory is stored as its origin', async () => {
    const directory = 'https://AGENT.example.com/.well-known/http-message-signatures-directory'
    const { identifier } = await claimed('web_bot_auth', directory)
    expect(identifier.value).toBe('https://agent.example.com')
  })

  test('can also be made by the agent’s owner, and by no other caller', async () => {
    const { agent, owner } = await newAgent(at)
    const claim = { type: 'domain', value: 'owned.example.com' } as const
    const made = await owner.client.identifiers.claim(agent.id, claim)
    const other = await newAgent(at)
    const { client: platform } = await newPlatform(at)
    for (const client of [other.client, other.owner.client, platform, at.operator]) {
      const refused = { code: 'FORBIDDEN' }
      expect(await refusal(client.identifiers.claim(agent.id, claim))).toMatchObject(refused)
      expect(await refusal(client.identifiers.verify(agent.id, made.id))).toMatchObject(refused)
      expect(await refusal(client.identifiers.delete(agent.id, made.id))).toMatchObject(refused)
    }
    const unknown = owner.client.identifiers.verify(agent.id, randomUUID())
    expect(await refusal(unknown)).toMatchObject({ code: 'NOT_FOUND' })
  })

  test.each<readonly [IdentifierType, string, string]>([
    ['domain', 'metadata.google.internal', 'must be on a public host'],
    ['mcp_server', 'weather', 'must be the name of an MCP server'],
    ['web_bot_auth', 'https://example.com/bots', 'must be the https origin'],
    ['caip10', 'eip155:1:0x1234', 'must be an account id'],
    ['caip10', 'eip155:1:0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'checksum (EIP-55) is wrong'],
    ['erc8004', 'eip155:1:22', 'must be chain, registry and agent id'],
    ['oauth_client', 'my client', 'must be the https URL of a client id metadata'],
  ])('of %s %s is refused, with the field and the expected form', async (type, value, message) => {
    const { agent, client } = await newAgent(at)
    expect(await problemOf(client.identifiers.claim(agent.id, { type, value }))).toMatchObject({
      path: 'value',
      message: expect.stringContaining(message),
    })
    expect((await client.identifiers.list(agent.id)).data).toEqual([])
  })

  test('is one of at most fifty, even if many are made at once', async () => {
    const { agent, client } = await newAgent(at)
    const all = await Promise.allSettled(
      Array.from({ length: 53 }, (_, i) =>
        client.identifiers.claim(agent.id, { type: 'domain', value: `a${i}.example.com` }),
      ),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(50)
    const more = client.identifiers.claim(agent.id, { type: 'domain', value: 'z.example.com' })
    expect(await refusal(more)).toMatchObject({ details: { limit: 'max_identifiers', max: 50 } })
  })

  test('of a deactivated agent is refused', async () => {
    const { agent, owner, identifier } = await claimed('domain', 'over.example.com')
    await owner.client.agents.deactivate(agent.id)
    const claim = { type: 'domain', value: 'late.example.com' } as const
    const { claim: make, verify } = owner.client.identifiers
    for (const call of [() => make(agent.id, claim), () => verify(agent.id, identifier.id)]) {
      expect(await refusal(call())).toMatchObject({ details: { reason: 'agent_deactivated' } })
    }
  })
})

describe('the list of an agent’s names', () => {
  test('shows claims and challenges to the agent, its owner and the operator, and verified names to others', async () => {
    const host = await startHost()
    const { agent, owner, client, challenge, verify } = await claimed('domain', host.host)
    host.put(CHALLENGE_PATH, challenge)
    await verify()
    await client.identifiers.claim(agent.id, { type: 'domain', value: 'only.example.com' })
    for (const one of [client, owner.client, at.operator]) {
      const { data } = await one.identifiers.list(agent.id)
      expect(data.map(({ status }) => status)).toEqual(['claimed', 'verified'])
      expect(data.every((identifier) => identifier.challenge)).toBe(true)
    }
    const stranger = await newAgent(at)
    for (const one of [at.anyone, stranger.client, stranger.owner.client]) {
      const { data } = await one.identifiers.list(agent.id)
      const hidden = { challenge: null, ways: [], problem: null }
      expect(data).toEqual([
        expect.objectContaining({ value: host.host, status: 'verified', ...hidden }),
      ])
    }
  })

  test('is newest first, in pages', async () => {
    const { agent, client } = await newAgent(at)
    const values: string[] = []
    for (let i = 0; i < 5; i++) {
      const { value } = await client.identifiers.claim(agent.id, {
        type: 'domain',
        value: `p${i}.example.com`,
      })
      values.unshift(value)
    }
    const listed: string[] = []
    for await (const { value } of client.identifiers.list(agent.id, { limit: 2 })) {
      listed.push(value)
    }
    expect(listed).toEqual(values)
  })
})

describe('a challenge on the host of a name', () => {
  test('is one line of a file, among other lines', async () => {
    const host = await startHost()
    const { verify, challenge } = await claimed('domain', host.host)
    host.put(CHALLENGE_PATH, `standing-challenge=other\r\n  ${challenge}  \r\n`)
    const verified = await verify()
    expect(verified).toMatchObject({
      status: 'verified',
      proof: { method: 'well_known', keyId: null },
      verifiedAt: '2026-06-15T11:00:00.000Z',
    })
    expect(await verify()).toEqual(verified)
  })

  test('is a TXT record beside the name, or of the name itself', async () => {
    for (const [name, record] of [
      ['txt-beside.test', '_standing-challenge.txt-beside.test'],
      ['txt-itself.test', 'txt-itself.test'],
    ] as const) {
      const { verify, challenge } = await claimed('domain', name)
      dns.set(record, 'v=spf1 -all', challenge)
      expect(await verify()).toMatchObject({ status: 'verified', proof: { method: 'dns' } })
    }
  })

  test('that is missing leaves the claim unchanged, and both places are named', async () => {
    const { verify, read, identifier } = await claimed('domain', 'nowhere.test')
    expect(await problemOf(verify())).toMatchObject({
      path: 'value',
      message: expect.stringMatching(
        /https:\/\/nowhere\.test\/\.well-known\/standing-challenge .*; no TXT record of _standing-challenge\.nowhere\.test or nowhere\.test is the challenge/,
      ),
    })
    expect(await read()).toEqual(identifier)
  })

  test('of another claim proves nothing', async () => {
    const host = await startHost()
    const one = await claimed('domain', host.host)
    const other = await claimed('domain', host.host)
    host.put(CHALLENGE_PATH, one.challenge)
    expect(await problemOf(other.verify())).toMatchObject({ code: 'challenge_missing' })
    expect(await one.verify()).toMatchObject({ status: 'verified' })
  })

  test('is not read from a host that a redirect leads to, private or public', async () => {
    const host = await startHost()
    const { verify, challenge } = await claimed('domain', host.host)
    const elsewhere = await startHost()
    elsewhere.put(CHALLENGE_PATH, challenge)
    for (const location of [
      `http://127.0.0.1:${elsewhere.port}${CHALLENGE_PATH}`,
      'http://169.254.169.254/latest/meta-data',
      'https://example.com/',
      'file:///etc/passwd',
    ]) {
      host.put(CHALLENGE_PATH, { status: 302, headers: { location } })
      expect(await problemOf(verify())).toMatchObject({
        code: 'redirected',
        path: 'value',
        message: expect.stringContaining('redirects to another host'),
      })
    }
    expect(elsewhere.requests).toEqual([])
    host.put(CHALLENGE_PATH, { status: 301, headers: { location: '/moved' } })
    host.put('/moved', challenge)
    expect(await verify()).toMatchObject({ status: 'verified' })
  })

  test('is not accepted in a file of 10 MB, or in one that is not text', async () => {
    const host = await startHost()
    const { verify, challenge } = await claimed('domain', host.host)
    host.put(CHALLENGE_PATH, `${'x'.repeat(10 * 1024 * 1024)}\n${challenge}`)
    expect(await problemOf(verify())).toMatchObject({ code: 'too_large', path: 'value' })
    host.put(CHALLENGE_PATH, { body: new Uint8Array([0xff, 0xfe, 0]) })
    expect(await problemOf(verify())).toMatchObject({ code: 'malformed' })
    host.put(CHALLENGE_PATH, { status: 410, body: challenge })
    expect(await problemOf(verify())).toMatchObject({ code: 'not_found' })
    host.put(CHALLENGE_PATH, { status: 500, body: challenge })
    expect(await problemOf(verify())).toMatchObject({ code: 'unreachable' })
  })

  test('is not looked up on a host that is private by DNS alone', async () => {
    const { verify } = await claimed('domain', 'localtest.example.com:8443')
    expect(await problemOf(verify())).toMatchObject({ path: 'value' })
  })
})

describe('a key signs the challenge', () => {
  test('of did:jwk and did:key', async () => {
    const { privateKey, jwk } = await newEd25519()
    const did = `did:jwk:${Buffer.from(JSON.stringify(jwk)).toString('base64url')}`
    const { verify, challenge, identifier } = await claimed('did', did)
    expect(identifier.ways).toEqual([{ method: 'signature', location: 'the key of the DID' }])
    expect(await problemOf(verify())).toMatchObject({ code: 'signature_required' })
    const other = await newEd25519()
    expect(await problemOf(verify(await signedBy(other.privateKey, challenge)))).toMatchObject({
      code: 'signature_invalid',
      path: 'signature',
    })
    expect(await verify(await signedBy(privateKey, challenge))).toMatchObject({
      status: 'verified',
      proof: { method: 'signature', keyId: expect.stringMatching(/^[\w-]{43}$/) },
    })
  })

  test.each(['base64', 'base64url'] as const)('in bare %s', async (encoding) => {
    // A signature with digits that the two encodings write differently.
    for (;;) {
      const { privateKey, publicKey } = generateKeyPairSync('ed25519')
      const jwk = JSON.stringify(publicKey.export({ format: 'jwk' }))
      const { verify, challenge } = await claimed(
        'did',
        `did:jwk:${Buffer.from(jwk).toString('base64url')}`,
      )
      const made = sign(null, Buffer.from(challenge), privateKey)
      if (/[+/]/.test(made.toString('base64'))) {
        return expect(await verify(made.toString(encoding))).toMatchObject({ status: 'verified' })
      }
    }
  })

  test.each([
    ['on the web', 'localhost'],
    ['at an address that the operator lists', '127.0.0.1'],
  ])('of a DID document %s', async (_where, name) => {
    const host = await startHost()
    const did = `did:web:${name}%3A${host.port}:agents:one`
    const { privateKey, jwk } = await newEd25519()
    const { verify, challenge } = await claimed('did', did)
    const method = { id: '#key-1', type: 'JsonWebKey', controller: did, publicKeyJwk: jwk }
    const document = { id: did, verificationMethod: [method], authentication: ['#key-1'] }
    const signature = await signedBy(privateKey, challenge, { kid: `${did}#key-1` })
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'not_found' })
    host.putJson('/agents/one/did.json', { ...document, id: 'did:web:example.com' })
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'wrong_subject' })
    host.putJson('/agents/one/did.json', { ...document, authentication: ['#key-2'] })
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'key_not_found' })
    host.putJson('/agents/one/did.json', document)
    expect(await verify(signature)).toMatchObject({ status: 'verified' })
  })

  test('of a DID document with a key whose signatures take long to check has no key', async () => {
    const host = await startHost()
    const did = `did:web:localhost%3A${host.port}`
    const [n, e] = [384, 384].map((size) => Buffer.alloc(size, 0xc5).toString('base64url'))
    const wide = Buffer.alloc(1_024, 0xc5).toString('base64url')
    const { verify } = await claimed('did', did)
    for (const jwk of [
      { kty: 'RSA', n, e },
      { kty: 'RSA', n: wide, e: 'AQAB' },
    ]) {
      const method = { id: '#key-1', type: 'JsonWebKey', controller: did, publicKeyJwk: jwk }
      host.putJson('/.well-known/did.json', { id: did, verificationMethod: [method] })
      const signature = Buffer.alloc(384, 1).toString('base64url')
      expect(await problemOf(verify(signature))).toMatchObject({ code: 'key_not_found' })
    }
  })

  test('of a DID document is by one of its first fifty keys, however often it names them', async () => {
    const host = await startHost()
    const did = `did:web:localhost%3A${host.port}`
    const keys = await Promise.all(Array.from({ length: 51 }, newEd25519))
    const methods = keys.map(({ jwk }, i) => ({
      id: `#key-${i}`,
      type: 'JsonWebKey',
      controller: did,
      publicKeyJwk: jwk,
    }))
    const { verify, challenge } = await claimed('did', did)
    const [first, assertionMethod] = [methods.slice(0, 50), methods.slice(50)]
    host.putJson('/.well-known/did.json', { id: did, authentication: first, assertionMethod })
    const signatures = await Promise.all(
      keys.map(({ privateKey }) => signedBy(privateKey, challenge)),
    )
    expect(await problemOf(verify(signatures[50]))).toMatchObject({ code: 'signature_invalid' })
    const verificationMethod = methods.slice(0, 50)
    const authentication = [...Array(49).fill('#key-0'), '#key-49']
    host.putJson('/.well-known/did.json', { id: did, verificationMethod, authentication })
    expect(await verify(signatures[49])).toMatchObject({ status: 'verified' })
  })

  test('of a DID of an unsupported method cannot be read, and the error says so', async () => {
    const { verify } = await claimed('did', 'did:plc:ewvi7nxzyoun6zhxrhs64oiz')
    expect(await problemOf(verify())).toMatchObject({
      code: 'not_provable',
      message: expect.stringContaining('did:key, did:jwk and did:web can'),
    })
  })
})
