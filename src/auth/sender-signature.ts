/** Signatures of those who send payloads of their own form, by a secret shared with a platform. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { readSecret } from '../lib/standard-webhooks.ts'
import type { SignatureScheme } from '../store/store.ts'

/** The headers of a request, and its body as it came. */
export interface SignedPayload {
  readonly headers: { get(name: string): string | null }
  readonly body: Uint8Array
}

/** Five minutes, as Stripe and Standard Webhooks recommend. GitHub signs no time. */
const TOLERANCE_SECONDS = 300

/** A sender that changes its secret signs with both; more is no honest request. */
const SIGNATURES_MAX = 10

/** What is wrong with a secret for a scheme, to be read after its name; null when it is right. */
export function secretProblem(scheme: SignatureScheme, secret: string): string | null {
  const isWrong = scheme === 'standard_webhooks' && readSecret(secret) === null
  return isWrong ? 'must be whsec_ and 24 to 64 bytes in base64' : null
}

/** What is wrong with the signature; null when it is right. */
export function senderProblem(
  scheme: SignatureScheme,
  secret: string,
  payload: SignedPayload,
  now: number,
): string | null {
  switch (scheme) {
    case 'stripe':
      return stripeProblem(secret, payload, now)
    case 'github':
      return githubProblem(secret, payload)
    case 'standard_webhooks':
      return standardProblem(secret, payload, now)
  }
}

/** `Stripe-Signature: t=1492774577,v1=5257…`: HMAC-SHA256 over `t.body`, in hexadecimal. */
function stripeProblem(
  secret: string,
  { headers, body }: SignedPayload,
  now: number,
): string | null {
  const header = headers.get('stripe-signature')
  if (header === null) {
    return 'there is no Stripe-Signature'
  }
  const parts = header.split(',').map((part) => part.trim().split('='))
  const [, timestamp = ''] = parts.find(([name]) => name === 't') ?? []
  const given = parts.flatMap(([name, value]) => (name === 'v1' && value ? [value] : []))
  const late = timeProblem('Stripe-Signature', timestamp, now)
  const expected = mac(secret, `${timestamp}.`, body).toString('hex')
  return late ?? problemOf('Stripe-Signature', given, expected)
}

/** `X-Hub-Signature-256: sha256=…`: HMAC-SHA256 over the body, in hexadecimal. */
function githubProblem(secret: string, { headers, body }: SignedPayload): string | null {
  const header = headers.get('x-hub-signature-256')
  if (header === null) {
    return 'there is no X-Hub-Signature-256'
  }
  const expected = `sha256=${mac(secret, '', body).toString('hex')}`
  return problemOf('X-Hub-Signature-256', [header], expected)
}

/** `webhook-signature: v1,…`: HMAC-SHA256 over `id.timestamp.body`, in base64. */
function standardProblem(
  secret: string,
  { headers, body }: SignedPayload,
  now: number,
): string | null {
  const id = headers.get('webhook-id')
  const timestamp = headers.get('webhook-timestamp')
  const header = headers.get('webhook-signature')
  if (id === null || timestamp === null || header === null) {
    return 'webhook-id, webhook-timestamp and webhook-signature are needed'
  }
  const key = readSecret(secret)
  if (key === null) {
    return 'the secret of the mapping is not one of Standard Webhooks: store the mapping with another one'
  }
  const expected = `v1,${mac(key, `${id}.${timestamp}.`, body).toString('base64')}`
  const late = timeProblem('webhook-timestamp', timestamp, now)
  return late ?? problemOf('webhook-signature', header.split(' '), expected)
}

function timeProblem(header: string, seconds: string, now: number): string | null {
  const isTime = /^\d{1,12}$/.test(seconds)
  const isNear = Math.abs(now / 1000 - Number(seconds)) <= TOLERANCE_SECONDS
  return isTime && isNear ? null : `the time of ${header} is more than five minutes away`
}

function problemOf(header: string, given: readonly string[], expected: string): string | null {
  const isRight = given.slice(0, SIGNATURES_MAX).some((one) => isSame(one, expected))
  return isRight ? null : `${header} has no signature of this body by the secret of the mapping`
}

/** Takes the same time wherever the two differ. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function mac(key: string | Uint8Array, start: string, body: Uint8Array): Buffer {
  return createHmac('sha256', key).update(start).update(body).digest()
}
