import { type AgentCard, AgentCard as Cards, generateAgentCardSignature } from '@a2a-js/sdk'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { directoryResponseHeaders, type Signer } from 'web-bot-auth'
import { signerFromJWK } from 'web-bot-auth/crypto'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'
import { startDns } from '../support/dns.ts'
import { startHost } from '../support/host.ts'
import {
  CHALLENGE_PATH,
  newClaim,
  newEd25519,
  problemOf,
  signedBy,
} from '../support/identifiers.ts'
import { startService } from '../support/service.ts'

const dns = await startDns()
const at = await startService({
  STANDING_RATE_LIMITS: 'off',
  STANDING_DNS_SERVERS: dns.server,
})

describe('an A2A agent card', () => {
  const CARD_PATH = '/.well-known/agent-card.json'

  /** As the SDK of A2A serves a card, signed by it where a key is given. */
  async function cardOf(origin: string, key?: { privateKey: CryptoKey; jku: string; kid: string }) {
    const card: AgentCard = Cards.fromJSON({
      name: 'Invoice reconciler',
      description: 'Matches invoices with payments.',
      version: '1.0.0',
      supportedInterfaces: [
        { url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
      ],
      capabilities: { streaming: false, extensions: [] },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: [],
      skills: [{ id: 'match', name: 'Match', description: '', tags: ['invoices'], examples: [] }],
    })
    if (!key) {
      return Cards.toJSON(card)
    }
    const { privateKey, jku, kid } = key
    const sign = generateAgentCardSignature(privateKey, { alg: 'ES256', typ: 'JOSE', kid, jku })
    return Cards.toJSON(await sign(card))
  }

  test('signed by the A2A SDK is verified by a challenge that the same key signs', async () => {
    const host = await startHost()
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jku = `${host.origin}/keys.json`
    host.putJson('/keys.json', { keys: [{ ...(await exportJWK(publicKey)), kid: 'card-1' }] })
    const card = await cardOf(host.origin, { privateKey, jku, kid: 'card-1' })
    host.putJson(CARD_PATH, card)
    const { verify, challenge } = await newClaim(at, 'a2a_card', host.origin + CARD_PATH)
    const signature = await signedBy(privateKey, challenge, { alg: 'ES256' })
    expect(await verify(signature)).toMatchObject({
      status: 'verified',
      proof: { method: 'signature' },
    })
    host.putJson(CARD_PATH, { ...(card as object), name: 'Somebody else' })
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'signature_invalid' })
  })

  test('without a signature is verified by the challenge on its host', async () => {
    const host = await startHost()
    host.putJson(CARD_PATH, await cardOf(host.origin))
    const { verify, challenge } = await newClaim(at, 'a2a_card', host.origin + CARD_PATH)
    expect(await problemOf(verify())).toMatchObject({ code: 'not_found' })
    host.put(CHALLENGE_PATH, challenge)
    expect(await verify()).toMatchObject({ status: 'verified', proof: { method: 'well_known' } })
  })

  test('whose signature names a key on another host is refused', async () => {
    const host = await startHost()
    const other = await startHost()
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const jku = `${other.origin}/keys.json`
    host.putJson(CARD_PATH, await cardOf(host.origin, { privateKey, jku, kid: 'card-1' }))
    const { verify, challenge } = await newClaim(at, 'a2a_card', host.origin + CARD_PATH)
    host.put(CHALLENGE_PATH, challenge)
    expect(await problemOf(verify())).toMatchObject({ code: 'key_not_found', path: 'value' })
    expect(other.requests).toEqual([])
  })

  test('of ten thousand levels is refused, and says why', async () => {
    const host = await startHost()
    const protectedHeader = { alg: 'EdDSA', jku: `${host.origin}/keys.json` }
    const head = Buffer.from(JSON.stringify(protectedHeader)).toString('base64url')
    const signatures = JSON.stringify([{ protected: head, signature: 'AAAA' }])
    const deep = '['.repeat(10_000) + ']'.repeat(10_000)
    const card = `{"name":"a","url":"b","signatures":${signatures},"skills":${deep}}`
    host.putJson('/keys.json', { keys: [(await newEd25519()).jwk] })
    host.put(CARD_PATH, card)
    const { verify } = await newClaim(at, 'a2a_card', host.origin + CARD_PATH)
    expect(await problemOf(verify())).toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('deeper than 64 levels'),
    })
  })

  test('of 10 MB, or in another format, is refused and stays claimed', async () => {
    const host = await startHost()
    const { verify, challenge, read } = await newClaim(at, 'a2a_card', host.origin + CARD_PATH)
    host.put(CHALLENGE_PATH, challenge)
    host.putJson(CARD_PATH, { name: 'x'.repeat(10 * 1024 * 1024), supportedInterfaces: [] })
    expect(await problemOf(verify())).toMatchObject({ path: 'value', code: 'too_large' })
    for (const body of ['hello', '[]', '{}', '{"name":1,"supportedInterfaces":[]}']) {
      host.put(CARD_PATH, body)
      expect(await problemOf(verify())).toMatchObject({ path: 'value', code: 'malformed' })
    }
    expect(await read()).toMatchObject({ status: 'claimed', verifiedAt: null, proof: null })
  })
})

describe('a key directory of Web Bot Auth', () => {
  const DIRECTORY = '/.well-known/http-message-signatures-directory'

  /** A directory signed by the package of its authors, for this host. */
  async function signatureOf(origin: string, signers: readonly Signer[]) {
    const request = { method: 'GET', url: origin + DIRECTORY, headers: {} }
    const response = { status: 200, headers: {} }
    const created = new Date()
    const expires = new Date(Date.now() + 60_000)
    const headers = await directoryResponseHeaders({ request, response }, [...signers], {
      created,
      expires,
    })
    return { Signature: headers.Signature, 'Signature-Input': headers['Signature-Input'] }
  }

  async function newSigner() {
    const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true })
    const jwk = await exportJWK(publicKey)
    const signer = await signerFromJWK(
      (await exportJWK(privateKey)) as Parameters<typeof signerFromJWK>[0],
    )
    return { privateKey, jwk, signer, kid: await calculateJwkThumbprint(jwk) }
  }

  test('signed by web-bot-auth is verified by a challenge that one of its keys signs', async () => {
    const host = await startHost()
    const { jwk, privateKey, signer, kid } = await newSigner()
    host.putJson(DIRECTORY, { keys: [jwk] }, await signatureOf(host.origin, [signer]))
    const { verify, challenge } = await newClaim(at, 'web_bot_auth', `${host.origin}/`)
    expect(await verify(await signedBy(privateKey, challenge, { kid }))).toMatchObject({
      value: host.origin,
      status: 'verified',
      proof: { method: 'signature', keyId: kid },
    })
    const other = await newSigner()
    const foreign = await signedBy(other.privateKey, challenge, { kid })
    expect(await problemOf(verify(foreign))).toMatchObject({ code: 'signature_invalid' })
  })

  test('copied from another host is refused, and a key that did not sign it does not count', async () => {
    const host = await startHost()
    const { jwk, privateKey, signer } = await newSigner()
    const other = await newSigner()
    const { verify, challenge } = await newClaim(at, 'web_bot_auth', host.origin)
    const signature = await signedBy(privateKey, challenge)
    const copied = await signatureOf('https://other.example.com', [signer])
    host.putJson(DIRECTORY, { keys: [jwk] }, copied)
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'signature_invalid' })
    host.putJson(DIRECTORY, { keys: [jwk, other.jwk] }, await signatureOf(host.origin, [signer]))
    const unsigned = await signedBy(other.privateKey, challenge)
    expect(await problemOf(verify(unsigned))).toMatchObject({ code: 'signature_invalid' })
    expect(await verify(signature)).toMatchObject({ status: 'verified' })
  })

  test('without a signature is verified by the challenge on its host; one without keys is not', async () => {
    const host = await startHost()
    const { verify, challenge } = await newClaim(at, 'web_bot_auth', host.origin)
    host.put(CHALLENGE_PATH, challenge)
    host.putJson(DIRECTORY, { keys: [] })
    expect(await problemOf(verify())).toMatchObject({ code: 'key_not_found', path: 'value' })
    host.putJson(DIRECTORY, { keys: [(await newEd25519()).jwk] })
    expect(await verify()).toMatchObject({ status: 'verified', proof: { method: 'well_known' } })
  })
})

describe('an MCP server', () => {
  test('is proven by its name’s host, in DNS or by the key that publishes it to the registry', async () => {
    const one = await newClaim(at, 'mcp_server', 'test.mcp-one/weather')
    expect(one.identifier.ways.map(({ method }) => method)).toEqual([
      'well_known',
      'dns',
      'signature',
    ])
    dns.set('_standing-challenge.mcp-one.test', one.challenge)
    expect(await one.verify()).toMatchObject({ status: 'verified', proof: { method: 'dns' } })

    const { privateKey, jwk } = await newEd25519()
    const two = await newClaim(at, 'mcp_server', 'test.mcp-two/weather')
    const key = Buffer.from(jwk.x ?? '', 'base64url').toString('base64')
    dns.set('mcp-two.test', `v=MCPv1; k=ed25519; p=${key}`)
    expect(await two.verify(await signedBy(privateKey, two.challenge))).toMatchObject({
      status: 'verified',
      proof: { method: 'signature' },
    })
  })

  test('by its server.json is proven if the name in it belongs to that host', async () => {
    const host = await startHost()
    const { verify, challenge } = await newClaim(at, 'mcp_server', `${host.origin}/server.json`)
    host.put(CHALLENGE_PATH, challenge)
    const server = { name: 'localhost/weather', description: 'Weather.', version: '1.0.0' }
    host.putJson('/server.json', { ...server, name: 'com.example/weather' })
    expect(await problemOf(verify())).toMatchObject({
      code: 'wrong_subject',
      message: expect.stringContaining('belongs to example.com'),
    })
    host.putJson('/server.json', { name: 'weather' })
    expect(await problemOf(verify())).toMatchObject({ code: 'malformed' })
    host.putJson('/server.json', server)
    expect(await verify()).toMatchObject({ status: 'verified' })
  })
})

/** Signed by @noble/curves as a wallet signs (EIP-191). */
function personalSign(message: string, secret: Uint8Array): string {
  const prefix = `\x19Ethereum Signed Message:\n${Buffer.byteLength(message)}`
  const digest = keccak_256(Buffer.from(prefix + message))
  const [recovery = 0, ...rs] = secp256k1.sign(digest, secret, {
    prehash: false,
    format: 'recovered',
  })
  return `0x${Buffer.from([...rs, recovery + 27]).toString('hex')}`
}

function addressOf(secret: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(secp256k1.getPublicKey(secret)).toBytes(false)
  return `0x${Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString('hex')}`
}

test('an account is proven by its own signature (EIP-191), in any spelling of its address', async () => {
  const secret = new Uint8Array(32).fill(11)
  const value = `eip155:1:0x${addressOf(secret).slice(2).toUpperCase()}`
  const { verify, challenge, identifier } = await newClaim(at, 'caip10', value)
  expect(identifier.value).toBe(`eip155:1:${addressOf(secret)}`)
  expect(await problemOf(verify())).toMatchObject({ code: 'signature_required', path: 'value' })
  const other = personalSign(challenge, new Uint8Array(32).fill(12))
  for (const signature of [other, personalSign(`${challenge}.`, secret), 'AAAA', '0x00']) {
    expect(await problemOf(verify(signature))).toMatchObject({
      code: 'signature_invalid',
      path: 'signature',
    })
  }
  expect(await verify(personalSign(challenge, secret))).toMatchObject({
    status: 'verified',
    proof: { method: 'signature', keyId: addressOf(secret) },
  })
  const bitcoin = 'bip122:000000000019d6689c085ae165831e93:128Lkh3S7CkDTBZ8W7BbpsN3YYizJMp8p6'
  const unknown = await newClaim(at, 'caip10', bitcoin)
  expect(await problemOf(unknown.verify('AAAA'))).toMatchObject({ code: 'not_provable' })
})

describe('an agent of ERC-8004', () => {
  const REGISTRY = '0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'

  test('is proven by the account that owns its token, according to the operator’s endpoint of the chain', async () => {
    const secret = new Uint8Array(32).fill(21)
    let owner = addressOf(secret)
    let error: unknown
    const asked: unknown[] = []
    const rpc = await httpReceiver((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        asked.push(JSON.parse(text).params[0])
        const result = `0x${owner.slice(2).padStart(64, '0')}`
        const said = error === undefined ? { result } : { error }
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...said }))
      })
    })
    const node = await startService({
      STANDING_RATE_LIMITS: 'off',
      STANDING_CHAIN_RPC: `eip155:31337=http://127.0.0.1:${rpc.port}`,
    })
    const { verify, challenge } = await newClaim(node, 'erc8004', `eip155:31337:${REGISTRY}:22`)
    const signature = personalSign(challenge, secret)
    expect(await verify(signature)).toMatchObject({ status: 'verified', proof: { keyId: owner } })
    expect(asked[0]).toEqual({
      to: REGISTRY,
      data: `0x6352211e${(22).toString(16).padStart(64, '0')}`,
    })
    owner = addressOf(new Uint8Array(32).fill(22))
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'signature_invalid' })
    owner = `0x${'0'.repeat(40)}`
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'not_found' })
    error = { code: -32000, message: 'execution reverted: ERC721NonexistentToken(22)' }
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'not_found' })
    // An endpoint that does not look the token up says nothing about it.
    for (error of [{ code: -32005, message: 'limit exceeded' }, 'x'.repeat(20_000), null]) {
      expect(await problemOf(verify(signature))).toMatchObject({ code: 'unreachable' })
    }
    await rpc.close()
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'unreachable' })
  })

  test('on a chain that the service does not read stays claimed, and the setting is named', async () => {
    const { verify, read } = await newClaim(at, 'erc8004', `eip155:1:${REGISTRY}:22`)
    expect(await problemOf(verify('0x00'))).toMatchObject({
      code: 'not_provable',
      message: expect.stringContaining('STANDING_CHAIN_RPC'),
    })
    expect(await read()).toMatchObject({ status: 'claimed' })
  })
})

describe('an OAuth client', () => {
  test('whose id is a metadata document is proven by its host or by its own key', async () => {
    const host = await startHost()
    const url = `${host.origin}/oauth/client.json`
    const { privateKey, jwk } = await newEd25519()
    const { verify, challenge } = await newClaim(at, 'oauth_client', url)
    const signature = await signedBy(privateKey, challenge)
    host.putJson('/oauth/client.json', { client_id: 'https://example.com/', jwks: { keys: [jwk] } })
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'wrong_subject' })
    host.putJson('/oauth/client.json', { client_id: url, jwks_uri: 'https://example.com/jwks' })
    expect(await problemOf(verify(signature))).toMatchObject({ code: 'key_not_found' })
    host.putJson('/oauth/client.json', { client_id: url, jwks_uri: `${host.origin}/jwks` })
    host.putJson('/jwks', { keys: [jwk] })
    expect(await verify(signature)).toMatchObject({ proof: { method: 'signature' } })
    host.put(CHALLENGE_PATH, challenge)
    expect(await verify()).toMatchObject({ proof: { method: 'well_known' } })
  })

  test('with an opaque id cannot be proven, and the error names what can', async () => {
    const { verify, read } = await newClaim(at, 'oauth_client', '0oa2hl2inow5Uqc6c357')
    expect(await problemOf(verify())).toMatchObject({
      code: 'not_provable',
      message: expect.stringContaining('client id metadata document'),
    })
    expect(await read()).toMatchObject({ status: 'claimed' })
  })
})

describe('a SPIFFE id', () => {
  test('is proven by its trust domain’s name', async () => {
    const id = 'spiffe://trust-one.test/agents/a'
    const { verify, challenge } = await newClaim(at, 'spiffe', id)
    dns.set('_standing-challenge.trust-one.test', challenge)
    expect(await verify()).toMatchObject({ status: 'verified', proof: { method: 'dns' } })
  })
})

test('a directory that never answers ends the verification in time, and is named', async () => {
  const host = await startHost()
  host.put('/card.json', () => {})
  const { verify, read } = await newClaim(at, 'a2a_card', `${host.origin}/card.json`)
  expect(await problemOf(verify())).toMatchObject({
    path: 'value',
    code: 'timeout',
    message: `${host.origin}/card.json did not answer in time`,
  })
  expect(await read()).toMatchObject({ status: 'claimed', problem: null, checkedAt: null })
})
