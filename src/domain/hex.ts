/** Bytes as text in JSON, written and read without the platform's own functions. */

export function hexOfBytes(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) {
    text += byte.toString(16).padStart(2, '0')
  }
  return text
}

export function bytesOfHex(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length / 2)
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  }
  return bytes
}
