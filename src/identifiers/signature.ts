import { isSignedBy, type PublicKey } from './keys.ts'

/**
 * The key among these that signed the challenge; null when none did. A signature is a compact JWS whose
 * payload is the challenge, or the bare signature over its bytes, in base64url or base64.
 */
export function signerOf(
  signature: string,
  challenge: string,
  keys: readonly PublicKey[],
): PublicKey | null {
  const parts = signature.split('.')
  if (parts.length !== 3) {
    const bytes = bytesOf(signature.replaceAll('+', '-').replaceAll('/', '_'))
    return bytes && (keys.find((key) => isSignedBy(key, Buffer.from(challenge), bytes)) ?? null)
  }
  const [header = '', payload = '', made = ''] = parts
  // A detached payload stands for the challenge as well.
  const encoded = Buffer.from(challenge).toString('base64url')
  return payload === '' || payload === encoded
    ? jwsSigner({ protected: header, payload: encoded, signature: made }, keys)
    : null
}

export interface Jws {
  readonly protected: string
  /** In base64url. */
  readonly payload: string
  readonly signature: string
}

/** The key among these that made a JWS; one with a `kid` that a key has is by that key alone. */
export function jwsSigner(jws: Jws, keys: readonly PublicKey[]): PublicKey | null {
  const header = protectedHeader(jws)
  const signature = bytesOf(jws.signature)
  // `crit` asks for extensions that are not known here, `b64` for another payload.
  if (!header || !signature || header.crit !== undefined || typeof header.alg !== 'string') {
    return null
  }
  const { alg, kid } = header
  const named = keys.filter((key) => key.kid === kid || key.thumbprint === kid)
  const bytes = Buffer.from(`${jws.protected}.${jws.payload}`)
  const tried = named.length > 0 ? named : keys
  return tried.find((key) => isSignedBy(key, bytes, signature, alg)) ?? null
}

/** The protected header of a JWS; null for any other text. Nothing in it is trusted by itself. */
export function protectedHeader(
  jws: Pick<Jws, 'protected'>,
): Readonly<Record<string, unknown>> | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(jws.protected, 'base64url').toString())
    return typeof header === 'object' && header !== null
      ? (header as Readonly<Record<string, unknown>>)
      : null
  } catch {
    return null
  }
}

function bytesOf(text: string): Uint8Array | null {
  return /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : null
}
