import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../../src/lib/testing/free-port.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { partsOf, signed, signingKeyOf } from '../support/forge.ts'
import { refusal, send } from '../support/http.ts'
import { runService } from '../support/process.ts'
import { newAgent, newOwner, OPERATOR_KEY, PASSWORD, startService } from '../support/service.ts'

const SECRET = randomBytes(32).toString('base64')
const at = await startService({
  STANDING_SECRET_KEY: SECRET,
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

test('the private keys are stored encrypted', async () => {
  const { rows } = await pool.query('select * from signing_keys')
  const purposes = rows.map(({ purpose }) => purpose)
  expect(purposes.sort()).toEqual(['credentials', 'receipts', 'test', 'tokens'])
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

test('after a rotation a new key signs, and earlier credentials still verify', async () => {
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

test('credentials are signed again by the active key, without any other change', async () => {
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

test('credentials of a revoked key are invalid on every node until they are signed again', async () => {
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
  expect(await refusal(operator.revokeSigningKey('A'.repeat(43), 'None.'))).toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('a key that is revoked again is not changed, and the audit log has its revocation once', async () => {
  const leaked = kidOf((await issue()).jwt) ?? ''
  const revoked = await operator.revokeSigningKey(leaked, 'It leaked.')
  const keys = await operator.signingKeys()
  expect(await operator.revokeSigningKey(leaked, 'Again.')).toEqual(revoked)
  expect(await operator.signingKeys()).toEqual(keys)
  const entries = (await operator.audit({ limit: 100 })).data.filter(
    ({ action, target }) => action === 'signing_key.revoked' && target?.id === leaked,
  )
  expect(entries.map(({ details }) => details)).toEqual([{ reason: 'It leaked.' }])
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

test('a service that moves signs with its new address, and its old tokens stay valid', async () => {
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

test('the key of sign-ins is rotated while every node serves, and tokens of both keys are valid', async () => {
  const second = await at.node()
  const { email, token: before } = await newOwner(at)
  const { kid } = await operator.rotateSigningKey('tokens')
  const { token: after } = await at.anyone.auth.login({ email, password: PASSWORD })
  expect([partsOf(before).header.kid === kid, partsOf(after).header.kid]).toEqual([false, kid])
  for (const url of [at.url, second.url]) {
    for (const token of [before, after]) {
      expect((await send(`${url}/v1/auth/me`, { key: token })).status).toBe(200)
    }
  }
  expect(await published()).not.toContain(kid)
})

test('a revoked key of sign-ins ends its own tokens on every node, and no others', async () => {
  const second = await at.node()
  const { email, token: leaked } = await newOwner(at)
  const { kid } = await operator.rotateSigningKey('tokens')
  const { token: good } = await at.anyone.auth.login({ email, password: PASSWORD })
  const me = async (url: string, token: string) => {
    return (await send(`${url}/v1/auth/me`, { key: token })).status
  }
  expect([await me(second.url, leaked), await me(second.url, good)]).toEqual([200, 200])
  await operator.revokeSigningKey(String(partsOf(leaked).header.kid), 'The key leaked.')
  expect([await me(at.url, leaked), await me(at.url, good)]).toEqual([401, 200])
  await eventually(async () => expect(await me(second.url, leaked)).toBe(401))
  expect(await me(second.url, good)).toBe(200)
  // The active one is replaced, so that people can sign in again.
  await operator.revokeSigningKey(kid, 'So did this one.')
  expect(await me(at.url, good)).toBe(401)
  const { token } = await at.anyone.auth.login({ email, password: PASSWORD })
  expect(await me(at.url, token)).toBe(200)
})

test('a key signs for one purpose alone: a sign-in token with the credential key is refused', async () => {
  const { token } = await newOwner(at)
  const { header, payload } = partsOf(token)
  const [own] = await keysFor('credentials')
  const key = await signingKeyOf(at.database.url, SECRET)
  for (const kid of [header.kid, own?.kid]) {
    const forged = signed({ ...header, kid }, payload, key)
    expect((await send(`${at.url}/v1/auth/me`, { key: forged })).status).toBe(401)
  }
})

test('a rotation interrupted by kill -9 leaves nothing half-done', async () => {
  const database = await createDatabase()
  const env = {
    DATABASE_URL: database.url,
    STANDING_SECRET_KEY: SECRET,
    STANDING_OPERATOR_KEY: OPERATOR_KEY,
  }
  const held = createPool({ url: database.url }, { max: 1 })
  const keys = async (url: string) => {
    const { body } = await send(`${url}/v1/operator/keys`, { key: OPERATOR_KEY })
    return body.data as { kid: string; status: string; purpose: string }[]
  }
  const first = await runService(env)
  const before = await keys(first.url)
  expect(before.every(({ status }) => status === 'active')).toBe(true)
  // The rotation has ended the old key and made the new one when it waits for the audit log.
  const client = await held.connect()
  await client.query('begin; lock table audit in exclusive mode')
  const cut = send(`${first.url}/v1/operator/keys/rotate`, {
    key: OPERATOR_KEY,
    json: { purpose: 'tokens' },
  }).catch(() => null)
  await eventually(async () => {
    const { rows } = await client.query(
      `select from pg_locks where not granted and relation = 'audit'::regclass`,
    )
    expect(rows.length).toBeGreaterThan(0)
  })
  await first.kill()
  await cut
  await client.query('rollback')
  client.release()
  const second = await runService(env)
  expect(await keys(second.url)).toEqual(before)
  const { status } = await send(`${second.url}/v1/operator/keys/rotate`, {
    key: OPERATOR_KEY,
    json: { purpose: 'tokens' },
  })
  expect(status).toBe(200)
  await second.stop()
  await held.end()
  await database.drop()
})
