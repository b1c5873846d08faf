import { generateKeyPairSync } from 'node:crypto'

/** A new Ed25519 key pair: what a platform registers, and what it signs with. */
export function newSigningKey() {
  const { privateKey } = generateKeyPairSync('ed25519')
  const jwk = privateKey.export({ format: 'jwk' }) as {
    kty: string
    crv: string
    x: string
    d: string
  }
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  return { publicKey: jwk.x, jwk, pem, privateKey }
}
