import { createHmac, randomBytes } from 'node:crypto'

/** The scheme of Standard Webhooks 1.0.0: HMAC-SHA256 over `id.timestamp.body`, in base64. */
export interface SignatureInput {
  /** `evt_…`, the same for all attempts: receivers recognise a repeat by it. */
  readonly id: string
  /** The time of this attempt in Unix seconds: receivers refuse one older than five minutes. */
  readonly timestampSeconds: number
  /** Exactly the text that is sent. */
  readonly body: string
  /** The newest first; during a rotation the old one signs as well. At least one. */
  readonly secrets: readonly string[]
}

export interface SignatureHeaders {
  readonly 'webhook-id': string
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

const SECRET_PREFIX = 'whsec_'

/** Bounds of the specification ("between 24 bytes and 64 bytes"). */
const KEY_BYTES_MIN = 24
const KEY_BYTES_MAX = 64

/** The length of the output of SHA-256: a longer key adds nothing to the HMAC. */
const NEW_KEY_BYTES = 32

/** A new secret, `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(NEW_KEY_BYTES).toString('base64')
}

/** The key in a `whsec_` secret, or null where the text is not one (24 to 64 bytes, base64). */
export function readSecret(secret: string): Uint8Array | null {
  if (!secret.startsWith(SECRET_PREFIX)) {
    return null
  }
  const text = secret.slice(SECRET_PREFIX.length)
  const key = Buffer.from(text, 'base64')
  // The decoder of Node skips unknown characters; only text that it would write itself is accepted.
  if (key.toString('base64') !== text) {
    return null
  }
  return key.length >= KEY_BYTES_MIN && key.length <= KEY_BYTES_MAX ? key : null
}

/** The three headers of one attempt. Throws without a valid secret: nothing is sent unsigned. */
export function signatureHeaders(input: SignatureInput): SignatureHeaders {
  const { id, timestampSeconds, body, secrets } = input
  if (secrets.length === 0) {
    throw new Error('A webhook needs a secret to be signed with')
  }
  const content = `${id}.${timestampSeconds}.${body}`
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${mac(secret, content)}`).join(' '),
  }
}

function mac(secret: string, content: string): string {
  const key = readSecret(secret)
  if (key === null) {
    throw new Error('A webhook secret is not of the form whsec_<base64>')
  }
  return createHmac('sha256', key).update(content, 'utf8').digest('base64')
}
