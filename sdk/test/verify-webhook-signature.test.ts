import { Webhook } from 'standardwebhooks'
import { describe, expect, expectTypeOf, it as test } from 'vitest'
import { type Notification, verifyWebhookSignature } from '../src/index.ts'

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const OTHER = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const BODY = JSON.stringify({ id: 'evt_1', type: 'score.changed', data: { reason: 'été ✓' } })

/** Signed by an independent implementation. */
function signed(body = BODY, secret = SECRET, ageSeconds = 0): Record<string, string> {
  const at = new Date(Date.now() - ageSeconds * 1000)
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  }
}

/** Whether that implementation accepts the same request. */
function theirs(body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(SECRET).verify(body, headers)
    return true
  } catch {
    return false
  }
}

describe('a notification', () => {
  test('with a valid signature is returned', async () => {
    const headers = signed()
    const notification = JSON.parse(BODY)
    expect(await verifyWebhookSignature(BODY, headers, SECRET)).toEqual(notification)
    expect(await verifyWebhookSignature(Buffer.from(BODY), new Headers(headers), SECRET)).toEqual(
      notification,
    )
    const shouted = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])
    expect(await verifyWebhookSignature(BODY, Object.fromEntries(shouted), SECRET)).toEqual(
      notification,
    )
  })

  test('is accepted during the rotation of its secret', async () => {
    const signatures = [signed(BODY, OTHER), signed()].map((one) => one['webhook-signature'])
    const headers = { ...signed(), 'webhook-signature': `v1a,x v1,%% ${signatures.join(' ')}` }
    await expect(verifyWebhookSignature(BODY, headers, SECRET)).resolves.toBeDefined()
  })

  const good = signed()
  const refused: readonly (readonly [string, string, Record<string, string>, RegExp])[] = [
    ['changed', `${BODY} `, good, /no signature matches/],
    ['of another id', BODY, { ...good, 'webhook-id': 'evt_2' }, /no signature matches/],
    ['signed with another secret', BODY, signed(BODY, OTHER), /no signature matches/],
    ['signed in another version', BODY, versioned('v2'), /no signature matches/],
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
  test.each(refused)(
    '%s is refused, as by the reference implementation',
    async (_name, body, headers, reason) => {
      expect(theirs(body, headers)).toBe(false)
      await expect(verifyWebhookSignature(body, headers, SECRET)).rejects.toMatchObject({
        code: 'WEBHOOK_INVALID',
        message: expect.stringMatching(reason),
      })
    },
  )

  test('can be as old as the caller allows', async () => {
    const headers = signed(BODY, SECRET, 1000)
    await expect(verifyWebhookSignature(BODY, headers, SECRET, 1100)).resolves.toBeDefined()
    await expect(
      verifyWebhookSignature(BODY, signed(BODY, SECRET, 100), SECRET, 50),
    ).rejects.toThrow('old')
  })

  test('is refused if the secret is malformed, with a message that says so', async () => {
    const bare = SECRET.slice('whsec_'.length)
    for (const secret of [undefined, '', 'whsec_', 'whsec_%', bare, 'avs_key', 'evt_1']) {
      await expect(verifyWebhookSignature(BODY, good, secret)).rejects.toMatchObject({
        name: 'StandingError',
        code: 'INVALID_CALL',
        message: expect.stringMatching(/secret is .*whsec_/),
      })
    }
  })

  test('is refused if an argument is of another kind, with a message that names it', async () => {
    const parsed = JSON.parse(BODY)
    const old = signed(BODY, SECRET, 1000)
    const calls: readonly (readonly [Parameters<typeof verifyWebhookSignature>, RegExp])[] = [
      [[parsed, good, SECRET], /payload .*before any parsing/],
      [[undefined as never, good, SECRET], /payload/],
      [[BODY, undefined as never, SECRET], /headers/],
      [[BODY, old, SECRET, Number.NaN], /toleranceSeconds is NaN/],
      [[BODY, old, SECRET, -1], /toleranceSeconds is -1/],
    ]
    for (const [args, message] of calls) {
      await expect(verifyWebhookSignature(...args)).rejects.toMatchObject({
        code: 'INVALID_CALL',
        message: expect.stringMatching(message),
      })
    }
  })

  test('has the TypeScript type of its notification type', async () => {
    const notification = await verifyWebhookSignature(BODY, good, SECRET)
    if (notification.type === 'score.changed') {
      expectTypeOf(notification.data.newScore).toBeNumber()
    }
    if (notification.type === 'event.reviewed') {
      expectTypeOf(notification.data.decision).toEqualTypeOf<'released' | 'upheld'>()
    }
    expectTypeOf<Notification<'webhook.test'>['data']>().toEqualTypeOf<{
      readonly webhookId: string
    }>()
  })
})

function versioned(version: string): Record<string, string> {
  const headers = signed()
  return { ...headers, 'webhook-signature': `${version},${headers['webhook-signature']?.slice(3)}` }
}
