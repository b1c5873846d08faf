/**
 * Keys are `avs_` (agent), `avw_` (owner) or `avp_` (platform), 32 random base62 characters, and
 * their checksum, so that a scanner or a form recognises a key offline. Keys for test data are
 * `avs_test_` and `avp_test_`.
 */
const KEY_FORM = /^av(?:[swp]_|[sp]_test_)([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 62^6 is the first power of 62 above 2^32, so six characters suffice for any CRC32. */
const CHECKSUM_LENGTH = 6

/** Whether the text has the form of a key and its checksum is right; not whether the key is in force. */
export function isApiKey(key: string): boolean {
  const [, random, checksum] = KEY_FORM.exec(key) ?? []
  return random !== undefined && apiKeyChecksum(random) === checksum
}

/** Whether a key is for test data. */
export function isTestKey(key: string): boolean {
  return /^av[sp]_test_/.test(key)
}

/** The CRC32 (IEEE) of the key's random characters, in base62, left-padded with `0`. */
export function apiKeyChecksum(random32: string): string {
  let rest = crc32(new TextEncoder().encode(random32))
  let digits = ''
  while (rest > 0) {
    digits = ALPHABET.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits.padStart(CHECKSUM_LENGTH, '0')
}

/** IEEE 802.3, reflected, polynomial 0xEDB88320: the CRC of zip, gzip and PNG. Bit by bit; keys are short. */
function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
    }
  }
  return ~crc >>> 0
}
