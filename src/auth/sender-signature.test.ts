import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { secretProblem, senderProblem } from './sender-signature.ts'

/** Texts that a base64 decoder reads as an empty key, or as a few bytes. */
const WEAK = [
  ['==aGVsbG8gd29ybGQh', ''],
  ['whsec_ééééééééééééé', ''],
  ['k=Zm9vYmFyYmF6cXV4', '\u0092'],
  [`whsec_${Buffer.alloc(16).toString('base64')}`, '\0'.repeat(16)],
] as const

const body = Buffer.from('{"type":"task.completed"}')
const NOW = 1_750_000_000_000

/** A payload signed as by Standard Webhooks with this key. */
function signedWith(key: string) {
  const seconds = String(NOW / 1000)
  const mac = createHmac('sha256', Buffer.from(key, 'latin1')).update(`msg_1.${seconds}.`)
  const headers = new Map([
    ['webhook-id', 'msg_1'],
    ['webhook-timestamp', seconds],
    ['webhook-signature', `v1,${mac.update(body).digest('base64')}`],
  ])
  return { headers: { get: (name: string) => headers.get(name) ?? null }, body }
}

test.each(WEAK)(
  'a stored secret %s, of few or no bytes, authenticates no payload',
  (secret, key) => {
    const problem = senderProblem('standard_webhooks', secret, signedWith(key), NOW)
    expect(problem).toMatch(/^the secret of the mapping/)
  },
)

test('a secret of Standard Webhooks has 24 to 64 bytes, one of another scheme any characters', () => {
  for (const [secret] of WEAK) {
    expect(secretProblem('standard_webhooks', secret)).toMatch(/24 to 64 bytes/)
    expect(secretProblem('stripe', secret)).toBeNull()
  }
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  expect(secretProblem('standard_webhooks', secret)).toBeNull()
  const right = signedWith('\x07'.repeat(32))
  expect(senderProblem('standard_webhooks', secret, right, NOW)).toBeNull()
})
