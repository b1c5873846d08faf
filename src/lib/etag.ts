import { hash } from 'node:crypto'

/** 22 characters of base64url hold 132 bits of the SHA-256: no two versions share a tag. */
const TAG_LENGTH = 22

/** The entity tag of these exact bytes. */
export function etagOf(body: string): string {
  return `"${digestOf(body)}"`
}

/** A weak entity tag: equal for bodies with the same meaning. */
export function weakEtagOf(body: string): string {
  return `W/"${digestOf(body)}"`
}

/** The tag without quotes, of a text or of bytes. */
export function digestOf(body: string | Uint8Array): string {
  return hash('sha256', body, 'base64url').slice(0, TAG_LENGTH)
}
