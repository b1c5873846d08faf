import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { newSecret, readSecret, signatureHeaders } from './standard-webhooks.ts'

const BODY = '{"type":"score.changed","data":{"name":"Zoë 🤖"}}'

function sign(secrets: readonly string[], over: { body?: string; timestampSeconds?: number } = {}) {
  const timestampSeconds = over.timestampSeconds ?? Math.floor(Date.now() / 1000)
  return signatureHeaders({ id: 'evt_1', timestampSeconds, body: over.body ?? BODY, secrets })
}

const secretOf = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`

describe('a signature', () => {
  test('equals the example of the specification', () => {
    const headers = signatureHeaders({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1614265330,
      body: '{"test": 2432232314}',
      secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    })
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    })
  })

  test('is accepted by the standardwebhooks package', () => {
    const secret = newSecret()
    expect(new Webhook(secret).verify(BODY, { ...sign([secret]) })).toEqual(JSON.parse(BODY))
  })

  test('during a rotation is accepted by receivers with the new and with the old secret', () => {
    const [next, old] = [newSecret(), newSecret()]
    const headers = sign([next, old])
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    for (const secret of [next, old]) {
      expect(new Webhook(secret).verify(BODY, { ...headers })).toEqual(JSON.parse(BODY))
    }
  })

  test('is invalid for another secret, body, id or time', () => {
    const secret = newSecret()
    const headers = sign([secret])
    const webhook = new Webhook(secret)
    expect(() => new Webhook(newSecret()).verify(BODY, { ...headers })).toThrow()
    expect(() => webhook.verify(`${BODY} `, { ...headers })).toThrow()
    expect(() => webhook.verify(BODY, { ...headers, 'webhook-id': 'evt_2' })).toThrow()
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(() => webhook.verify(BODY, { ...headers, 'webhook-timestamp': later })).toThrow()
  })

  test('is never made without a valid secret', () => {
    expect(() => sign([])).toThrow('needs a secret')
    expect(() => sign(['whsec_'])).toThrow('not of the form')
    expect(() => sign([newSecret(), 'secret'])).toThrow('not of the form')
  })
})

describe('a secret', () => {
  test('is new every time and has 32 bytes', () => {
    expect(newSecret()).not.toBe(newSecret())
    expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  })

  test.each([24, 32, 64])('of %i bytes is accepted', (bytes) => {
    expect(readSecret(secretOf(bytes))).toHaveLength(bytes)
  })

  test.each([
    ['too short', secretOf(23)],
    ['too long', secretOf(65)],
    ['without its prefix', secretOf(32).slice(6)],
    ['in the alphabet of URLs', `whsec_${'_'.repeat(43)}=`],
    ['without padding', `whsec_${'A'.repeat(43)}`],
    ['with a line break', `${secretOf(32)}\n`],
  ])('%s is refused', (_, secret) => {
    expect(readSecret(secret)).toBeNull()
  })
})
