/** Random bytes as hex. `crypto.randomUUID` is missing where a page is served over plain http from another machine. */
export function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes))
  return Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
