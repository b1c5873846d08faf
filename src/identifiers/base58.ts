/** The alphabet of Bitcoin, which did:key and Solana use. */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * The bytes of a base58 text; null for any other text. Time grows with the square of the length:
 * callers bound it.
 */
export function decodeBase58(text: string): Uint8Array | null {
  let value = 0n
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) {
      return null
    }
    value = value * 58n + BigInt(digit)
  }
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const hex = value === 0n ? '' : value.toString(16)
  const digits = hex.length % 2 === 0 ? hex : `0${hex}`
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(digits, 'hex')])
}
