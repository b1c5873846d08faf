/** The prefix of the 32 bytes of an Ed25519 key in SPKI (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_BYTES = 32

/** An Ed25519 public key as people have it, as the `x` of its JWK; null when it is invalid. */
export function readPublicKey(text: string): string | null {
  const pem = /^-----BEGIN PUBLIC KEY-----([\w+/=\s]+)-----END PUBLIC KEY-----\s*$/.exec(text)?.[1]
  const bytes = decode((pem ?? text).replaceAll(/\s/g, ''))
  const isSpki = bytes?.length === SPKI_PREFIX.length + KEY_BYTES
  if (isSpki && bytes.subarray(0, SPKI_PREFIX.length).equals(SPKI_PREFIX)) {
    return bytes.subarray(SPKI_PREFIX.length).toString('base64url')
  }
  return pem === undefined && bytes?.length === KEY_BYTES ? bytes.toString('base64url') : null
}

/** Base64 in either alphabet, with its padding or without; null where a bit of it would be lost. */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64')
  const plain = text
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return bytes.toString('base64').replace(/=+$/, '') === plain ? bytes : null
}
