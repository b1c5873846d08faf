export type WebCrypto = typeof globalThis.crypto

/** Web Crypto: a global everywhere but in Node 18, which has it in a module. */
export async function webCrypto(): Promise<WebCrypto> {
  if (globalThis.crypto) {
    return globalThis.crypto
  }
  const name = 'node:crypto'
  const { webcrypto } = await import(/* webpackIgnore: true */ /* @vite-ignore */ name)
  return webcrypto
}

/** Sixteen random bytes as hexadecimal digits. `crypto.randomUUID` would need https in browsers. */
export async function newIdempotencyKey(): Promise<string> {
  const crypto = await webCrypto()
  const random = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
