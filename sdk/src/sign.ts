import { invalidCall } from './error.ts'
import type { FetchRequest } from './fetch.ts'
import type { SigningKey } from './options.ts'
import { type WebCrypto, webCrypto } from './web-crypto.ts'

type PrivateKey = Awaited<ReturnType<WebCrypto['subtle']['importKey']>>

/** Adds the headers of a signature over this request, made now. */
export type Sign = (url: string, request: Unsigned) => Promise<Unsigned>

type Unsigned = Omit<FetchRequest, 'signal'>

/** What the service requires a signature to cover (RFC 9421): where a request goes, and its content. */
const COVERED = ['@method', '@target-uri', 'content-digest', 'content-type']

/** Signs requests by HTTP Message Signatures, so that the service can verify that the platform sent them. */
export function createSign(key: SigningKey): Sign {
  let importing: Promise<{ key: PrivateKey; keyid: string }> | undefined
  return async (url, request) => {
    const crypto = await webCrypto()
    importing ??= importKey(crypto, key)
    const { key: privateKey, keyid } = await importing
    const body = new TextEncoder().encode(request.body ?? '')
    const digest = await crypto.subtle.digest('SHA-256', body)
    const headers = { ...request.headers, 'content-digest': `sha-256=:${base64(digest)}:` }
    const parameters = parametersNow(crypto, keyid)
    const values: Readonly<Record<string, string>> = {
      ...headers,
      '@method': request.method,
      '@target-uri': new URL(url).href,
    }
    const lines = COVERED.map((name) => `"${name}": ${values[name]}`)
    const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
    const signature = await crypto.subtle.sign(ED25519, privateKey, new TextEncoder().encode(base))
    const signed = {
      'signature-input': `sig=${parameters}`,
      signature: `sig=:${base64(signature)}:`,
    }
    return { ...request, headers: { ...headers, ...signed } }
  }
}

const ED25519 = { name: 'Ed25519' }

/** The nonce: two equal reports of one second would have one signature, since Ed25519 is deterministic. */
function parametersNow(crypto: WebCrypto, keyid: string): string {
  const covered = COVERED.map((name) => `"${name}"`).join(' ')
  const created = Math.floor(Date.now() / 1000)
  const nonce = base64(crypto.getRandomValues(new Uint8Array(16)).buffer)
  return `(${covered});created=${created};keyid="${keyid}";alg="ed25519";nonce="${nonce}"`
}

async function importKey(
  crypto: WebCrypto,
  key: SigningKey,
): Promise<{ key: PrivateKey; keyid: string }> {
  try {
    const imported = await importAny(crypto, key)
    // The public half names the key; from PKCS #8 it has to be worked out.
    const { x = '' } = await crypto.subtle.exportKey('jwk', imported)
    return { key: imported, keyid: x }
  } catch {
    throw invalidCall('signingKey is not a private Ed25519 key in JWK or PKCS #8')
  }
}

function importAny(crypto: WebCrypto, key: SigningKey): Promise<PrivateKey> {
  if (typeof key === 'string') {
    return importPkcs8(crypto, bytesOfPem(key))
  }
  if (key instanceof Uint8Array) {
    return importPkcs8(crypto, key)
  }
  // Only what makes the key: what else a JWK says of its use may be too narrow or too wide.
  const { kty = '', crv = '', d = '', x = '' } = key
  return crypto.subtle.importKey('jwk', { kty, crv, d, x }, ED25519, true, ['sign'])
}

function importPkcs8(crypto: WebCrypto, bytes: Uint8Array): Promise<PrivateKey> {
  return crypto.subtle.importKey('pkcs8', new Uint8Array(bytes), ED25519, true, ['sign'])
}

function bytesOfPem(pem: string): Uint8Array {
  const text = atob(pem.replace(/-----[^-]*-----|\s/g, ''))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}
