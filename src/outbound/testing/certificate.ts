import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

export interface Certificate {
  /** PEM. */
  readonly cert: string
  readonly key: string
}

/** A self-signed certificate for these DNS names, in as much DER as that needs (RFC 5280). */
export function createCertificate(names: readonly string[]): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const body = toBeSigned(names, publicKey)
  const signature = sign('sha256', body, privateKey)
  const der = sequence(body, ECDSA_SHA256, tagged(0x03, Buffer.from([0]), signature))
  return { cert: pem(der), key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() }
}

const ECDSA_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const SUBJECT_ALT_NAME = oid('551d11')
const BASIC_CONSTRAINTS = oid('551d13')
const IS_AUTHORITY = tagged(0x04, sequence(tagged(0x01, Buffer.from([0xff]))))

function toBeSigned(names: readonly string[], publicKey: KeyObject): Buffer {
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, text(0x0c, 'webhook test'))))
  const alternatives = sequence(...names.map((one) => text(0x82, one)))
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, IS_AUTHORITY),
    sequence(SUBJECT_ALT_NAME, tagged(0x04, alternatives)),
  )
  return sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))), // version 3
    tagged(0x02, Buffer.from([1])), // serial number
    ECDSA_SHA256,
    name,
    sequence(text(0x18, '20200101000000Z'), text(0x18, '20991231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, extensions),
  )
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, ...parts)
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, 'hex'))
}

function text(tag: number, value: string): Buffer {
  return tagged(tag, Buffer.from(value, 'utf8'))
}

function tagged(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content])
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
