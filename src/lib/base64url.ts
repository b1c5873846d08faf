/** Bytes as text in URLs and JSON Web Keys, without padding (RFC 4648, section 5). */
export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
}
