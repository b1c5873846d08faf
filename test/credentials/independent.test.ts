import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Bitstring } from '@digitalbazaar/bitstring'
import { verifyJWT } from 'did-jwt'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { partsOf } from '../support/forge.ts'
import { newAgent, startService } from '../support/service.ts'

/** Software that we did not write verifies what we issue, by what we publish and nothing else. */

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const directory = await mkdtemp(join(tmpdir(), 'standing-verify-'))
afterAll(() => rm(directory, { recursive: true, force: true }))

const text = async (path: string) => (await fetch(new URL(path, at.url))).text()
const json = async (path: string) => JSON.parse(await text(path))
const DID = `did:web:127.0.0.1%3A${new URL(at.url).port}`

async function issued() {
  const { agent, owner } = await newAgent(at)
  const { credentials } = owner.client
  const credential = await credentials.issue({
    agentId: agent.id,
    type: 'SecurityAudit',
    claims: { auditor: 'Example Labs', scope: ['payments', 'refunds'] },
    expiresAt: '2099-01-01T00:00:00.000Z',
  })
  return { agent, owner, credentials, credential }
}

interface Entry {
  readonly statusPurpose: string
  readonly statusListIndex: string
  readonly statusListCredential: string
}

function entriesOf(jwt: string): readonly Entry[] {
  return partsOf(jwt).payload.credentialStatus as readonly Entry[]
}

/** The bit of a credential in one of its lists, as the library reads it. */
async function bitOf(jwt: string, purpose: string): Promise<boolean> {
  const entry = entriesOf(jwt).find(({ statusPurpose }) => statusPurpose === purpose)
  const list = partsOf(await text(entry?.statusListCredential ?? '')).payload
  const { encodedList } = list.credentialSubject as { encodedList: string }
  expect(encodedList.startsWith('u')).toBe(true)
  const buffer = await Bitstring.decodeBits({ encoded: encodedList.slice(1) })
  const bits = new Bitstring({ buffer })
  expect(bits.length).toBeGreaterThanOrEqual(131_072)
  return bits.get(Number(entry?.statusListIndex))
}

test('the token is the credential itself, as the Data Model 2.0 and VC-JOSE-COSE define it', async () => {
  const { agent, owner, credential } = await issued()
  const { header, payload } = partsOf(credential.jwt)
  const { kid } = header
  expect(header).toEqual({ alg: 'EdDSA', typ: 'vc+jwt', cty: 'vc', kid })
  const id = `${at.url}/v1/credentials/${credential.id}`
  const subject = `${at.url}/v1/agents/${agent.id}`
  const second = (time: string) => Math.floor(Date.parse(time) / 1000)
  const list = `${at.url}/v1/status-lists/1`
  const index = entriesOf(credential.jwt)[0]?.statusListIndex
  expect(index).toMatch(/^\d{1,6}$/)
  expect(payload).toEqual({
    '@context': [
      'https://www.w3.org/ns/credentials/v2',
      'https://www.w3.org/ns/credentials/undefined-terms/v2',
    ],
    id,
    type: ['VerifiableCredential', 'OwnerAssertion', 'SecurityAudit'],
    issuer: DID,
    assertedBy: `urn:uuid:${owner.owner.id}`,
    validFrom: credential.issuedAt,
    validUntil: credential.expiresAt,
    credentialSubject: { id: subject, ...credential.claims },
    credentialStatus: ['revocation', 'suspension'].map((statusPurpose) => ({
      id: `${list}/${statusPurpose}#${index}`,
      type: 'BitstringStatusListEntry',
      statusPurpose,
      statusListIndex: index,
      statusListCredential: `${list}/${statusPurpose}`,
    })),
    iss: DID,
    sub: subject,
    jti: id,
    iat: second(credential.issuedAt),
    nbf: second(credential.issuedAt),
    exp: second(credential.expiresAt ?? ''),
  })
  expect(await json('/.well-known/did.json')).toMatchObject({ id: DID })
  expect((await json('/.well-known/did.json')).assertionMethod).toContain(kid)
  expect(await json('/did.json')).toEqual(await json('/.well-known/did.json'))
})

test('jose verifies credentials and lists with the published key set', async () => {
  const { credential } = await issued()
  const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', at.url))
  const options = { issuer: DID, algorithms: ['EdDSA'], typ: 'vc+jwt' }
  const { payload } = await jwtVerify(credential.jwt, keys, options)
  expect(payload.jti).toContain(credential.id)
  for (const { statusListCredential, statusPurpose } of entriesOf(credential.jwt)) {
    const response = await fetch(statusListCredential)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/vc+jwt',
      'cache-control': 'public, max-age=30',
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^".+"$/),
    })
    const list = await jwtVerify(await response.text(), keys, options)
    expect(list.payload).toMatchObject({
      id: statusListCredential,
      type: ['VerifiableCredential', 'BitstringStatusListCredential'],
      issuer: DID,
      credentialSubject: { type: 'BitstringStatusList', statusPurpose },
    })
  }
})

test('did-jwt verifies a credential with the DID document, and refuses a changed one', async () => {
  const { credential } = await issued()
  const resolver = {
    resolve: async (did: string) => {
      expect(did).toBe(DID)
      const didDocument = await json('/.well-known/did.json')
      return { didDocument, didResolutionMetadata: {}, didDocumentMetadata: {} }
    },
  }
  const verified = await verifyJWT(credential.jwt, { resolver, proofPurpose: 'assertionMethod' })
  expect(verified).toMatchObject({ verified: true, issuer: DID })
  const [head, body = '', signature] = credential.jwt.split('.')
  const altered = Buffer.from(body, 'base64url').toString().replace('Example Labs', 'Evil Labs')
  const forged = `${head}.${Buffer.from(altered).toString('base64url')}.${signature}`
  await expect(verifyJWT(forged, { resolver })).rejects.toThrow(/invalid_signature/)
})

describe('the status list, as another library reads it', () => {
  test('shows a revocation and a suspension, each in its own list', async () => {
    const { agent, credentials, credential } = await issued()
    const status = async () => [
      await bitOf(credential.jwt, 'revocation'),
      await bitOf(credential.jwt, 'suspension'),
    ]
    const { setAgentStatus } = at.operator.operator
    expect(await status()).toEqual([false, false])
    await setAgentStatus(agent.id, { status: 'suspended', reason: 'asked' })
    expect(await status()).toEqual([false, true])
    await setAgentStatus(agent.id, { status: 'active', reason: 'answered' })
    expect(await status()).toEqual([false, false])
    await credentials.revoke(credential.id)
    expect(await status()).toEqual([true, false])
  })

  test('keeps its tag until a bit changes', async () => {
    const { credentials, credential } = await issued()
    const url = entriesOf(credential.jwt)[0]?.statusListCredential ?? ''
    const etag = (await fetch(url)).headers.get('etag') ?? ''
    const again = () => fetch(url, { headers: { 'if-none-match': etag } })
    expect((await again()).status).toBe(304)
    await credentials.revoke(credential.id)
    expect((await again()).status).toBe(200)
  })

  test('without a bit set equals the example of the specification', async () => {
    const example = 'H4sIAAAAAAAAA-3BMQEAAADCoPVPbQwfoAAAAAAAAAAAAAAAAAAAAIC3AYbSVKsAQAAA'
    const { credential } = await issued()
    const url = entriesOf(credential.jwt)[1]?.statusListCredential ?? ''
    const { encodedList } = partsOf(await text(url)).payload.credentialSubject as {
      encodedList: string
    }
    const bytes = (encoded: string) => gunzipSync(Buffer.from(encoded, 'base64url'))
    expect(bytes(encodedList.slice(1)).equals(bytes(example))).toBe(true)
  })

  test('assigns indexes at random, so that neighbours reveal nothing', async () => {
    const { agent, credentials } = await issued()
    const indexes: number[] = []
    for (let i = 0; i < 12; i++) {
      const { jwt } = await credentials.issue({ agentId: agent.id, type: `T${i}`, claims: {} })
      indexes.push(Number(entriesOf(jwt)[0]?.statusListIndex))
    }
    expect(new Set(indexes).size).toBe(12)
    expect(indexes).not.toEqual([...indexes].sort((a, b) => a - b))
    expect(Math.max(...indexes) - Math.min(...indexes)).toBeGreaterThan(1_000)
  })

  test.each([
    '/v1/status-lists/999/revocation',
    '/v1/status-lists/1/message',
    '/v1/status-lists/0/revocation',
  ])('does not exist at %s', async (path) => {
    expect((await fetch(new URL(path, at.url))).status).toBeGreaterThanOrEqual(400)
    expect((await fetch(new URL(path, at.url))).status).toBeLessThan(500)
  })
})

describe('the example, with nothing but Node', () => {
  const run = promisify(execFile)

  async function verifyOffline(jwt: string, didDocument: string, listOf = text) {
    const lists = await Promise.all(
      entriesOf(jwt).map(({ statusListCredential }) => listOf(statusListCredential)),
    )
    const paths = []
    for (const [i, content] of [jwt, didDocument, ...lists].entries()) {
      const path = join(directory, `${i}`)
      await writeFile(path, content)
      paths.push(path)
    }
    return run(process.execPath, ['examples/verify-credential.mjs', ...paths]).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )
  }

  test('says that a credential is valid, and why one is not', async () => {
    const { credential, credentials, agent } = await issued()
    const did = await text('/.well-known/did.json')
    const { jwt } = credential
    expect(await verifyOffline(jwt, did)).toMatch(
      /^valid, as .* asserts: .*"auditor":"Example Labs"/,
    )
    const [head, , signature] = jwt.split('.')
    const other = await credentials.issue({ agentId: agent.id, type: 'T', claims: {} })
    const swapped = `${head}.${other.jwt.split('.')[1]}.${signature}`
    expect(await verifyOffline(swapped, did)).toBe('invalid: a wrong signature\n')
    const stranger = did.replaceAll('#', '#x')
    expect(await verifyOffline(jwt, stranger)).toBe('invalid: a key of somebody else\n')
    await credentials.revoke(credential.id)
    expect(await verifyOffline(jwt, did)).toBe('invalid: under revocation\n')
  })
})

test('the key in the token is named by its address and its thumbprint', async () => {
  const { credential } = await issued()
  const { kid = '' } = decodeProtectedHeader(credential.jwt)
  expect(kid).toMatch(new RegExp(`^${DID}#[\\w-]{43}$`))
  const x = expect.stringMatching(/^[\w-]{43}$/)
  const key = { kty: 'OKP', crv: 'Ed25519', x, use: 'sig', alg: 'EdDSA' }
  // The other one signs receipts, and no credential.
  const other = expect.stringMatching(new RegExp(`^${DID}#[\\w-]{43}$`))
  const { keys } = await json('/.well-known/jwks.json')
  expect(keys).toEqual([
    { ...key, kid },
    { ...key, kid: other },
  ])
  const did = await json('/.well-known/did.json')
  expect(did.assertionMethod).toContain(kid)
  expect(JSON.stringify(did)).not.toContain(keys[1].x)
})
