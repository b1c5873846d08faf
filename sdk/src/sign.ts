import { invalidCall } from './error.ts'

/**
 * A platform's private Ed25519 key: a JWK, or PKCS #8 as PEM or bytes. Its public half is what the
 * operator registers for the platform (`publicKey`, the `x` of the JWK).
 */
export type SigningKey = SigningJwk | string | Uint8Array

export interface SigningJwk {
  readonly kty?: string | undefined
  readonly crv?: string | undefined
  readonly x?: string | undefined
  readonly d?: string | undefined
}

type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** Adds the headers of a signature over this request, made now. */
export type Sign = (url: string, init: RequestInit) => Promise<RequestInit>

/** What the service asks to be covered (RFC 9421): whom it is said to, and all that is said. */
const COVERED = ['@method', '@target-uri', 'content-digest', 'content-type']

/** Signs requests by HTTP Message Signatures, so that the service knows them for the platform's own. */
export function createSign(key: SigningKey): Sign {
  let importing: Promise<{ key: PrivateKey; keyid: string }> | undefined
  return async (url, init) => {
    importing ??= importKey(key)
    const { key: privateKey, keyid } = await importing
    const headers = new Headers(init.headers)
    const body = new TextEncoder().encode(String(init.body ?? ''))
    const digest = await crypto.subtle.digest('SHA-256', body)
    headers.set('content-digest', `sha-256=:${base64(digest)}:`)
    const parameters = parametersNow(keyid)
    const values: Record<string, string | null> = {
      '@method': String(init.method),
      '@target-uri': new URL(url).href,
    }
    const lines = COVERED.map((name) => `"${name}": ${values[name] ?? headers.get(name)}`)
    const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
    const signature = await crypto.subtle.sign(ED25519, privateKey, new TextEncoder().encode(base))
    headers.set('signature-input', `sig=${parameters}`)
    headers.set('signature', `sig=:${base64(signature)}:`)
    return { ...init, headers }
  }
}

const ED25519 = { name: 'Ed25519' }

/** The nonce keeps two reports of the same second apart, since Ed25519 signs the same the same. */
function parametersNow(keyid: string): string {
  const covered = COVERED.map((name) => `"${name}"`).join(' ')
  const created = Math.floor(Date.now() / 1000)
  const nonce = base64(crypto.getRandomValues(new Uint8Array(16)).buffer)
  return `(${covered});created=${created};keyid="${keyid}";alg="ed25519";nonce="${nonce}"`
}

async function importKey(key: SigningKey): Promise<{ key: PrivateKey; keyid: string }> {
  try {
    const imported = await importAny(key)
    // The public half names the key; from PKCS #8 it has to be worked out.
    const { x = '' } = await crypto.subtle.exportKey('jwk', imported)
    return { key: imported, keyid: x }
  } catch {
    throw invalidCall('signingKey is not a private Ed25519 key in JWK or PKCS #8')
  }
}

function importAny(key: SigningKey): Promise<PrivateKey> {
  if (typeof key === 'string') return importPkcs8(bytesOfPem(key))
  if (key instanceof Uint8Array) return importPkcs8(key)
  // Only what makes the key: what else a JWK says of its use may be too narrow or too wide.
  const { kty = '', crv = '', d = '', x = '' } = key
  return crypto.subtle.importKey('jwk', { kty, crv, d, x }, ED25519, true, ['sign'])
}

function importPkcs8(bytes: Uint8Array): Promise<PrivateKey> {
  return crypto.subtle.importKey('pkcs8', new Uint8Array(bytes), ED25519, true, ['sign'])
}

function bytesOfPem(pem: string): Uint8Array {
  const text = atob(pem.replace(/-----[^-]*-----|\s/g, ''))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
