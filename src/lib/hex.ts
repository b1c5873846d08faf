/** Bytes as hexadecimal digits: a key for a map, or a hash for people to read. */
export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')
}
