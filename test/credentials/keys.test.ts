import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { partsOf } from '../support/forge.ts'
import { refusal, send } from '../support/http.ts'
import { freePort } from '../support/ports.ts'
import { newAgent, OPERATOR_KEY, startService } from '../support/service.ts'

const at = await startService({
  STANDING_SECRET_KEY: randomBytes(32).toString('base64'),
  STANDING_RATE_LIMITS: 'off',
})
const pool = createPool({ url: at.database.url }, { max: 2 })
afterAll(() => pool.end())
const { operator } = at.operator
const { verify } = at.anyone.credentials
const { agent, owner } = await newAgent(at)
const issue = () =>
  owner.client.credentials.issue({ agentId: agent.id, type: 'Audit', claims: { grade: 'A' } })
const kidOf = (jwt: string) => String(partsOf(jwt).header.kid).split('#')[1]
const keysFor = async (purpose: string) =>
  (await operator.signingKeys()).filter((key) => key.purpose === purpose)
const published = async () => {
  const { body } = await send(`${at.url}/.well-known/jwks.json`)
  return body.keys.map(({ kid }: { kid: string }) => kid.split('#')[1])
}

test('the private keys are kept encrypted', async () => {
  const { rows } = await pool.query('select * from signing_keys')
  expect(rows.map(({ purpose }) => purpose).sort()).toEqual(['credentials', 'receipts'])
  for (const { public_jwk, sealed_private } of rows) {
    expect(Object.keys(public_jwk).sort()).toEqual(['crv', 'kty', 'x'])
    expect(sealed_private.toString('latin1')).not.toContain('"d"')
  }
})

test('a second node signs with the same key', async () => {
  const { url } = await at.node()
  const { credentials } = owner.client.with({ baseUrl: url })
  const { jwt } = await credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} })
  expect(kidOf(jwt)).toBe(kidOf((await issue()).jwt))
})

test('after a rotation another key signs, and what was signed before still verifies', async () => {
  const before = await issue()
  const key = await operator.rotateSigningKey()
  const after = await issue()
  expect(kidOf(after.jwt)).toBe(key.kid)
  expect(kidOf(before.jwt)).not.toBe(key.kid)
  for (const { jwt } of [before, after]) {
    expect(await verify(jwt)).toMatchObject({ valid: true })
  }
  const [receipts] = await keysFor('receipts')
  expect(await published()).toEqual([key.kid, kidOf(before.jwt), receipts?.kid])
  expect(await keysFor('credentials')).toMatchObject([
    { kid: key.kid, status: 'active', retiredAt: null },
    { kid: kidOf(before.jwt), status: 'retired', revokedAt: null },
  ])
})

test('simultaneous rotations leave one active key', async () => {
  await Promise.all(Array.from({ length: 5 }, () => operator.rotateSigningKey()))
  const keys = await keysFor('credentials')
  expect(keys.filter(({ status }) => status === 'active')).toHaveLength(1)
})

test('credentials are signed again by the active key, and change in nothing else', async () => {
  const before = await issue()
  const { kid } = await operator.rotateSigningKey()
  expect(await operator.reissueCredentials()).toBeGreaterThan(0)
  expect(await operator.reissueCredentials()).toBe(0)
  const { jwt, ...after } = await at.anyone.credentials.get(before.id)
  expect({ ...after, jwt: before.jwt }).toEqual(before)
  expect(kidOf(jwt)).toBe(kid)
  const [{ iat: _then, ...old }, { iat: _now, ...renewed }] = [before.jwt, jwt].map(
    (one) => partsOf(one).payload,
  ) as [Record<string, unknown>, Record<string, unknown>]
  expect(renewed).toEqual(old)
  for (const one of [before.jwt, jwt]) {
    expect(await verify(one)).toMatchObject({ valid: true })
  }
})

test('nothing that a revoked key signed is valid, on any node, until it is signed again', async () => {
  const credential = await issue()
  const leaked = kidOf(credential.jwt) ?? ''
  const { url } = await at.node()
  const elsewhere = at.anyone.with({ baseUrl: url }).credentials
  expect(await elsewhere.verify(credential.jwt)).toMatchObject({ valid: true })
  expect(await operator.revokeSigningKey(leaked, 'It leaked.')).toMatchObject({
    kid: leaked,
    status: 'revoked',
  })
  for (const proof of [credential.jwt, credential.id]) {
    expect(await elsewhere.verify(proof)).toMatchObject({
      valid: false,
      status: 'invalid',
      claims: null,
      checks: { signature: false },
    })
  }
  expect(await published()).not.toContain(leaked)
  await operator.reissueCredentials()
  const { jwt } = await at.anyone.credentials.get(credential.id)
  expect(await elsewhere.verify(jwt)).toMatchObject({ valid: true })
  expect(await elsewhere.verify(credential.jwt)).toMatchObject({ valid: false })
  expect(await refusal(operator.revokeSigningKey(leaked, 'Again.'))).toMatchObject({
    code: 'CONFLICT',
  })
  expect(await refusal(operator.revokeSigningKey('A'.repeat(43), 'None.'))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('only the operator rotates keys, and each rotation is in the audit log', async () => {
  const paths = ['keys/rotate', `keys/${'A'.repeat(43)}/revoke`, 'credentials/reissue']
  for (const path of paths) {
    for (const key of [owner.token, agent.apiKey]) {
      expect(
        (await send(`${at.url}/v1/operator/${path}`, { key, json: { reason: 'x' } })).status,
      ).toBe(403)
    }
  }
  const bad = await send(`${at.url}/v1/operator/keys/one/revoke`, {
    key: OPERATOR_KEY,
    json: { reason: 'x' },
  })
  expect(bad.status).toBe(400)
  const actions = (await operator.audit({ limit: 100 })).data.map(({ action }) => action)
  expect(actions).toEqual(
    expect.arrayContaining(['signing_key.rotated', 'signing_key.revoked', 'credentials.reissued']),
  )
})

test('a service that moves signs with its new address, and its old tokens stay valid with it', async () => {
  const before = await issue()
  const port = await freePort()
  await at.node({ STANDING_BASE_URL: 'https://trust.example/standing', PORT: String(port) })
  const moved = at.operator.with({ baseUrl: `http://127.0.0.1:${port}` })
  expect(await moved.credentials.verify(before.jwt)).toMatchObject({ valid: true })
  await moved.operator.reissueCredentials()
  const { jwt } = await moved.credentials.get(before.id)
  expect(partsOf(jwt).payload).toMatchObject({
    issuer: 'did:web:trust.example:standing',
    id: `https://trust.example/standing/v1/credentials/${before.id}`,
  })
  expect(await moved.credentials.verify(jwt)).toMatchObject({ valid: true })
})
