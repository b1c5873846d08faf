const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is a UUID in the spelling in which ids are stored: in lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Where the two digits of each byte of a UUID stand. */
const UUID_DIGITS = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const

/** The bytes of a UUID. */
export const UUID_BYTES = UUID_DIGITS.length

/** The value of each hexadecimal digit by its code; -1 for any other character. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => {
  const digit = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(digit) ? -1 : digit
})

/** Writes the bytes of a UUID at a place. Answers whether all of them were digits. */
export function writeUuid(bytes: Uint8Array, at: number, text: string): boolean {
  let all = 0
  for (let i = 0; i < UUID_BYTES; i++) {
    const from = UUID_DIGITS[i] ?? 0
    const byte = (digitAt(text, from) << 4) | digitAt(text, from + 1)
    bytes[at + i] = byte
    all |= byte
  }
  return all >= 0
}

function digitAt(text: string, at: number): number {
  return DIGITS[text.charCodeAt(at)] ?? -1
}
