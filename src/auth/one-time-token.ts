import { hash, randomBytes } from 'node:crypto'

/** 256 bits cannot be guessed, so attempts are not counted. */
const TOKEN_BYTES = 32

export function randomToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** The secret of a link. Only its SHA-256 is stored. */
export function newToken(): { readonly token: string; readonly hash: Uint8Array } {
  const token = randomToken()
  return { token, hash: tokenHashOf(token) }
}

export function tokenHashOf(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}
