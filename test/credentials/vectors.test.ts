import { execFile } from 'node:child_process'
import { createHash, createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { openToken } from '../../src/credentials/token.ts'
import { partsOf, signed } from '../support/forge.ts'
import { send } from '../support/http.ts'
import { newAgent, startService } from '../support/service.ts'

/** Known answers that others have published: ours are held against them. */

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const directory = await mkdtemp(join(tmpdir(), 'standing-vectors-'))
afterAll(() => rm(directory, { recursive: true, force: true }))

/** A key's name by RFC 7638, without the library that the service uses. */
function thumbprint(x: string): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url')
}

describe('RFC 8037, appendix A', () => {
  const d = 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A'
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
  const jws =
    'eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.' +
    'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg'

  test('A.3: the service names its keys by the thumbprint of the example', async () => {
    expect(thumbprint(x)).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
    const { body } = await send(`${at.url}/.well-known/jwks.json`)
    for (const key of body.keys) {
      expect(key.kid.split('#')[1]).toBe(thumbprint(key.x))
    }
  })

  test('A.4 and A.5: the forgery helper reproduces the example’s signature, which the service does not accept', async () => {
    const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' })
    expect(signed({ alg: 'EdDSA' }, 'Example of Ed25519 signing', key)).toBe(jws)
    const { body } = await send(`${at.url}/v1/credentials/verify`, { json: { jwt: jws } })
    expect(body).toMatchObject({ valid: false, status: 'invalid' })
  })
})

describe('the W3C test suite of VC-JOSE-COSE', async () => {
  const path = join(import.meta.dirname, 'vectors/w3c-vc-jose-cose.json')
  const { issuer, key, tokens } = JSON.parse(await readFile(path, 'utf8')) as {
    readonly issuer: string
    readonly key: { readonly kid: string; readonly x: string }
    readonly tokens: Readonly<Record<string, string>>
  }
  const publicKey = createPublicKey({ key: { ...key, kty: 'OKP', crv: 'Ed25519' }, format: 'jwk' })

  /** What the example, which has nothing but Node, says of a token. */
  async function example(jwt: string): Promise<string> {
    const did = { id: issuer, verificationMethod: [{ id: key.kid, publicKeyJwk: key }] }
    const files = [join(directory, 'credential.jwt'), join(directory, 'did.json')]
    await writeFile(files[0] ?? '', jwt)
    await writeFile(files[1] ?? '', JSON.stringify(did))
    return promisify(execFile)(process.execPath, ['examples/verify-credential.mjs', ...files]).then(
      ({ stdout }) => stdout,
      ({ stderr }: { stderr: string }) => stderr,
    )
  }

  test.each([
    ['credential-issuer-match-signed', /^valid, as .* asserts: .*"id":"did:example:123"/],
    ['credential-jose-bad-signature', /^invalid: a wrong signature/],
    ['credential-jose-bad-media-type', /^invalid: another kind of token/],
    ['credential-jose-vc-vp-claims', /^invalid: another kind of token/],
  ])('%s, by the example', async (name, says) => {
    expect(await example(tokens[name] ?? '')).toMatch(says)
  })

  test.each(Object.keys(tokens))('%s is not a credential of this service', async (name) => {
    const { body } = await send(`${at.url}/v1/credentials/verify`, { json: { jwt: tokens[name] } })
    expect(body).toMatchObject({ valid: false, status: 'invalid', claims: null })
    expect(await openToken(tokens[name] ?? '', async () => null)).toBeNull()
  })

  test('the header has the members of the example, with its values except for the key', async () => {
    const { agent, owner } = await newAgent(at)
    const { credentials } = owner.client
    const { jwt } = await credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} })
    const [theirs, ours] = [tokens['credential-issuer-match-signed'] ?? '', jwt].map(partsOf)
    expect({ ...ours?.header, kid: key.kid }).toEqual(theirs?.header)
    expect(ours?.payload).toMatchObject({ iss: ours?.payload.issuer, jti: ours?.payload.id })
    expect(theirs?.payload).toMatchObject({ iss: theirs?.payload.issuer, jti: theirs?.payload.id })
    const text = (tokens['credential-issuer-match-signed'] ?? '').replace(/\.[^.]*$/, '')
    expect(thumbprint(key.x)).toBe(key.kid)
    expect(verify(null, Buffer.from(text), publicKey, theirs?.signature ?? Buffer.alloc(0))).toBe(
      true,
    )
  })
})
