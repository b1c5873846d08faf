import { invalidCall, StandingError } from './error.ts'
import type { Notification } from './types.ts'
import { webCrypto } from './web-crypto.ts'

export type HeadersLike = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

/** Standard Webhooks 1.0.0 asks for a few minutes; its libraries agreed on five. */
const TOLERANCE_SECONDS = 300
const SECRET_PREFIX = 'whsec_'

/**
 * The notification, if it was signed with this secret (Standard Webhooks 1.0.0).
 *
 * @param payload the request's body exactly as received, before any parsing
 * @param secret `whsec_…`, as returned when the subscription was created or its secret rotated
 * @param toleranceSeconds how far the signed time may lie from now, either way
 * @throws StandingError `WEBHOOK_INVALID` where it was not, is too old, or a header is missing;
 * `INVALID_CALL` where an argument is not one of these, which is not the sender's fault
 */
export async function verifyWebhookSignature(
  payload: string | Uint8Array,
  headers: HeadersLike,
  secret: string | undefined,
  toleranceSeconds: number = TOLERANCE_SECONDS,
): Promise<Notification> {
  checkArguments(headers, toleranceSeconds)
  const key = keyOf(secret)
  const body = bytesOfPayload(payload)
  const id = header(headers, 'webhook-id')
  const timestamp = header(headers, 'webhook-timestamp')
  const signatures = header(headers, 'webhook-signature')
  checkTime(timestamp, Date.now() / 1000, toleranceSeconds)
  const signed = join(new TextEncoder().encode(`${id}.${timestamp}.`), body)
  if (!(await isSignedBy(signed, signatures, key))) {
    throw invalid('no signature matches the secret')
  }
  return parse(new TextDecoder().decode(body))
}

function checkArguments(headers: unknown, toleranceSeconds: number): void {
  if (typeof headers !== 'object' || headers === null) {
    throw invalidCall('no headers are given: they are those of the request')
  }
  // No time is further off than NaN, so every captured notification would be accepted.
  if (!(toleranceSeconds >= 0)) {
    throw invalidCall(`toleranceSeconds is ${toleranceSeconds}: it takes a number, 0 or more`)
  }
}

function bytesOfPayload(payload: unknown): Uint8Array {
  if (typeof payload === 'string') {
    return new TextEncoder().encode(payload)
  }
  if (payload instanceof Uint8Array) {
    return payload
  }
  throw invalidCall(
    'the payload is not text or bytes: it is the body as it was received, before any parsing',
  )
}

function keyOf(secret: string | undefined): Uint8Array<ArrayBuffer> {
  if (!secret) {
    throw invalidCall('no secret is given: it is the whsec_… of the subscription')
  }
  const raw = secret.startsWith(SECRET_PREFIX)
    ? bytesOf(secret.slice(SECRET_PREFIX.length))
    : undefined
  // The secret itself is not named: messages end in logs.
  if (!raw?.length) {
    throw invalidCall('the secret is not whsec_ and base64, as the service shows it')
  }
  return raw
}

async function isSignedBy(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  raw: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const crypto = await webCrypto()
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
  // More than one while a secret is being rotated. `subtle.verify` compares in constant time.
  for (const candidate of signatures.split(' ')) {
    const signature = candidate.startsWith('v1,') ? bytesOf(candidate.slice(3)) : undefined
    if (signature && (await crypto.subtle.verify(algorithm, key, signature, signed))) {
      return true
    }
  }
  return false
}

function header(headers: HeadersLike, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : recordHeader(headers, name)
  if (!value) {
    throw invalid(`the ${name} header is missing`)
  }
  return value
}

function isHeaders(headers: HeadersLike): headers is Headers {
  return typeof headers.get === 'function'
}

/** Node's own headers are lower case already; others keep the case they were sent in. */
function recordHeader(
  headers: Exclude<HeadersLike, Headers>,
  name: string,
): string | null | undefined {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : found?.[0]
}

function checkTime(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw invalid('the webhook-timestamp header is not a time')
  }
  const ageSeconds = nowSeconds - Number(timestamp)
  if (ageSeconds > toleranceSeconds) {
    throw invalid('the notification is too old')
  }
  if (ageSeconds < -toleranceSeconds) {
    throw invalid('the notification is from the future')
  }
}

function join(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

function parse(text: string): Notification {
  try {
    return JSON.parse(text) as Notification
  } catch {
    throw invalid('the body is not JSON')
  }
}

function invalid(message: string): StandingError {
  return new StandingError({ status: 0, code: 'WEBHOOK_INVALID', message })
}
