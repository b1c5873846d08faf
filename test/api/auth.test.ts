import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, PASSWORD, startService } from '../support/service.ts'

const at = await startService()
const { anyone } = at

describe('register', () => {
  test('a new owner gets an account in the free tier and a token for a day', async () => {
    const before = Date.now()
    const session = await anyone.auth.register({
      email: 'Ada@Example.com',
      password: PASSWORD,
      name: 'Ada',
    })
    expect(session.owner).toMatchObject({ email: 'ada@example.com', name: 'Ada', tier: 'free' })
    expect(Object.keys(session.owner).sort()).toEqual(['createdAt', 'email', 'id', 'name', 'tier'])
    const lifetime = Date.parse(session.expiresAt) - before
    expect(lifetime).toBeGreaterThan(23 * 3_600_000)
    expect(lifetime).toBeLessThanOrEqual(24 * 3_600_000 + 1_000)
    expect(decodeProtectedHeader(session.token).alg).toBe('EdDSA')
    expect(Object.keys(decodeJwt(session.token))).toEqual(
      expect.arrayContaining(['iss', 'aud', 'sub', 'iat', 'exp', 'jti']),
    )
  })

  test('a registered e-mail is a conflict, in upper or lower case', async () => {
    const email = 'taken@example.com'
    const { owner } = await anyone.auth.register({ email, password: PASSWORD, name: '' })
    expect(owner.name, 'an empty name is a name').toBe('')
    const error = await refusal(
      anyone.auth.register({ email: 'TAKEN@example.com', password: PASSWORD }),
    )
    expect(error).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  test('every problem of a body is listed at once', async () => {
    const { status, body } = await send(`${at.url}/v1/auth/register`, {
      json: { email: 'nobody', password: 'short', colour: 'red' },
    })
    expect(status).toBe(400)
    expect(body.error.code).toBe('VALIDATION_ERROR')
    expect(body.error.details.issues.map((issue: { path: string }) => issue.path).sort()).toEqual([
      'colour',
      'email',
      'password',
    ])
    expect(body.error.details.requestId).toBeTruthy()
  })
})

describe('sign in', () => {
  test('the right password returns a session', async () => {
    const { email, owner } = await newOwner(at)
    const session = await anyone.auth.login({ email, password: PASSWORD })
    expect(session.owner.id).toBe(owner.id)
  })

  test('a wrong password and an unknown e-mail get the same response', async () => {
    const { email } = await newOwner(at)
    const wrong = await refusal(anyone.auth.login({ email, password: 'not the password' }))
    const unknown = await refusal(
      anyone.auth.login({ email: 'nobody@example.com', password: 'not the password' }),
    )
    expect(wrong).toMatchObject({ status: 401, code: 'AUTHENTICATION_REQUIRED' })
    expect({ ...wrong, details: null }).toEqual({ ...unknown, details: null })
  })

  test('a wrong current password is named as such, and the token stays valid', async () => {
    const { client } = await newOwner(at)
    const changed = client.auth.changePassword({
      currentPassword: 'not the password',
      newPassword: 'another long password',
    })
    const issue = { path: 'currentPassword', code: 'wrong_password', message: 'is wrong' }
    expect(await refusal(changed)).toMatchObject({ status: 400, details: { issues: [issue] } })
    expect((await client.agents.list()).data).toEqual([])
  })

  test('a changed password ends earlier tokens', async () => {
    const { client } = await newOwner(at)
    const session = await client.auth.changePassword({
      currentPassword: PASSWORD,
      newPassword: 'another long password',
    })
    expect(await refusal(client.agents.list())).toMatchObject({ status: 401 })
    const again = anyone.with({ token: session.token })
    expect((await again.agents.list()).data).toEqual([])
  })
})

describe('credentials', () => {
  test('an API key works in X-API-Key and as a bearer token', async () => {
    const { agent } = await newAgent(at)
    for (const headers of [
      { 'x-api-key': agent.apiKey },
      { authorization: `Bearer ${agent.apiKey}` },
    ]) {
      const { status, body } = await send(`${at.url}/v1/agents/me`, { headers })
      expect(status).toBe(200)
      expect(body.id).toBe(agent.id)
    }
  })

  test('an owner’s token is accepted in Authorization only', async () => {
    const { token } = await newOwner(at)
    const ask = (headers: Record<string, string>) => send(`${at.url}/v1/auth/me`, { headers })
    const bearer = { authorization: `Bearer ${token}` }
    expect((await ask(bearer)).status).toBe(200)
    for (const headers of [{ 'x-api-key': token }, { 'x-api-key': token, ...bearer }]) {
      const { status, body } = await ask(headers)
      expect([status, body.error.code]).toEqual([401, 'AUTHENTICATION_REQUIRED'])
      expect(body.error.message).toContain('X-API-Key takes an API key')
    }
  })

  test('a missing or unknown credential is 401; one of the wrong kind is 403', async () => {
    const { agent, owner } = await newAgent(at)
    const { platform } = await newPlatform(at)
    const status = async (headers: Record<string, string>) =>
      (await send(`${at.url}/v1/agents/me`, { headers })).status
    expect(await status({})).toBe(401)
    expect(await status({ 'x-api-key': 'avs_nonsense' })).toBe(401)
    expect(await status({ 'x-api-key': 'nonsense' })).toBe(401)
    expect(await status({ 'x-api-key': '' })).toBe(401)
    expect(await status({ 'x-api-key': agent.apiKey.replace(/.$/, '!') })).toBe(401)
    expect(await status({ authorization: 'Basic abc' })).toBe(401)
    expect(await status({ authorization: `Bearer ${owner.token}` })).toBe(403)
    expect(await status({ 'x-api-key': platform.apiKey })).toBe(403)
  })

  test('a token with another key’s signature, or without one, is 401', async () => {
    const { token } = await newOwner(at)
    const [header = '', payload = ''] = token.split('.')
    const hs256 = await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .sign(new TextEncoder().encode('x'.repeat(32)))
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
    const forged = [hs256, `${none}.${payload}.`, `${header}.${payload}.AAAA`, ` ${token}x`]
    const statusOf = async (key: string) => (await send(`${at.url}/v1/agents`, { key })).status
    for (const key of forged) {
      expect(await statusOf(key)).toBe(401)
    }
    expect(await statusOf(token)).toBe(200)
  })
})
