import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { type Notification, verifyWebhook } from '../src/index.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const BODY = JSON.stringify({ id: 'evt_1', type: 'score.changed', data: { reason: 'été ✓' } })

/** Signed by an implementation that is not ours. */
function signed(body = BODY, secret = SECRET, ageSeconds = 0): Record<string, string> {
  const at = new Date(Date.now() - ageSeconds * 1000)
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
}

/** What the other implementation says of the same request. */
function theirs(body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(SECRET).verify(body, headers)
    return true
  } catch {
    return false
  }
}

describe('a notification', () => {
  it('signed with the secret is handed over', async () => {
    const headers = signed()
    const notification = JSON.parse(BODY)
    expect(await verifyWebhook(BODY, headers, SECRET)).toEqual(notification)
    expect(await verifyWebhook(Buffer.from(BODY), new Headers(headers), SECRET)).toEqual(
      notification,
    )
    const shouted = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])
    expect(await verifyWebhook(BODY, Object.fromEntries(shouted), SECRET)).toEqual(notification)
  })

  it('is still known while its secret is being rotated', async () => {
    const signatures = [signed(BODY, OTHER), signed()].map((one) => one['webhook-signature'])
    const headers = { ...signed(), 'webhook-signature': `v1a,x v1,%% ${signatures.join(' ')}` }
    await expect(verifyWebhook(BODY, headers, SECRET)).resolves.toBeDefined()
  })

  const good = signed()
  const refused: readonly (readonly [string, string, Record<string, string>, RegExp])[] = [
    ['changed', `${BODY} `, good, /no signature fits/],
    ['of another id', BODY, { ...good, 'webhook-id': 'evt_2' }, /no signature fits/],
    ['signed with another secret', BODY, signed(BODY, OTHER), /no signature fits/],
    ['signed in another version', BODY, versioned('v2'), /no signature fits/],
    ['too old', BODY, signed(BODY, SECRET, 301), /too old/],
    ['from the future', BODY, signed(BODY, SECRET, -310), /future/],
    ['without a time', BODY, { ...good, 'webhook-timestamp': 'soon' }, /not a time/],
    [
      'without a signature',
      BODY,
      { ...good, 'webhook-signature': '' },
      /signature header is missing/,
    ],
    ['that is not JSON', 'hello', signed('hello'), /not JSON/],
  ]
  it.each(refused)('%s is refused, here and elsewhere', async (_name, body, headers, reason) => {
    expect(theirs(body, headers)).toBe(false)
    await expect(verifyWebhook(body, headers, SECRET)).rejects.toMatchObject({
      code: 'WEBHOOK_INVALID',
      message: expect.stringMatching(reason),
    })
  })

  it('may be as old as the caller allows', async () => {
    const headers = signed(BODY, SECRET, 1000)
    await expect(verifyWebhook(BODY, headers, SECRET, 1100)).resolves.toBeDefined()
    await expect(verifyWebhook(BODY, signed(BODY, SECRET, 100), SECRET, 50)).rejects.toThrow('old')
  })

  it('is refused, not waved through, where the secret is none, and that is said', async () => {
    const bare = SECRET.slice('whsec_'.length)
    for (const secret of [undefined, '', 'whsec_', 'whsec_%', bare, 'avs_key', 'evt_1']) {
      await expect(verifyWebhook(BODY, good, secret)).rejects.toMatchObject({
        name: 'StandingError',
        code: 'INVALID_CALL',
        message: expect.stringMatching(/secret is .*whsec_/),
      })
    }
  })

  it('is typed by its type', async () => {
    const notice = await verifyWebhook(BODY, good, SECRET)
    if (notice.type === 'score.changed') expectTypeOf(notice.data.newScore).toBeNumber()
    if (notice.type === 'event.reviewed')
      expectTypeOf(notice.data.decision).toEqualTypeOf<'released' | 'upheld'>()
    expectTypeOf<Notification<'webhook.test'>['data']>().toEqualTypeOf<{
      readonly webhookId: string
    }>()
  })
})

function versioned(version: string): Record<string, string> {
  const headers = signed()
  return { ...headers, 'webhook-signature': `${version},${headers['webhook-signature']?.slice(3)}` }
}
