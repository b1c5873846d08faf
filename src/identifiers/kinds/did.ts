import { didReason } from '../did-reason.ts'
import { canSign, jwkOfMultibase, keyOfJwk, type PublicKey } from '../keys.ts'
import { type Keys, type Kind, originsOf, problemOf, type Reading, readJson } from '../kind.ts'

/** did:key and did:jwk are keys; did:web is a document on a host. */
export const DID: Kind = {
  type: 'did',
  form: 'must be a DID without path, query or fragment, such as did:web:example.com',
  reasonAgainst: didReason,
  isValue: (value) => /^did:[a-z0-9]+:[A-Za-z0-9._:%-]+$/.test(value),
  urlOf: (value) => (isWeb(value) ? documentUrl(value) : null),
  hostOf: (value) => (isWeb(value) ? authorityOf(value) : null),
  signerIn,
  read: (reading, value) => (isWeb(value) ? readDocument(reading, value) : keyIn(value)),
  isKeyPublished: isWeb,
}

function isWeb(value: string): boolean {
  return value.startsWith('did:web:')
}

/** A DID of another method cannot be read here, and not every key signs. */
function signerIn(value: string): string | null {
  if (isWeb(value)) {
    return 'a key of the DID document'
  }
  return canSign(jwkIn(value)) ? 'the key of the DID' : null
}

function authorityOf(value: string): string {
  const [, , host = ''] = value.split(':')
  return host.replace(/%3a/i, ':')
}

/** https://w3c-ccg.github.io/did-method-web/ */
function documentUrl(value: string): string {
  const path = value.split(':').slice(3).join('/')
  return `https://${authorityOf(value)}/${path === '' ? '.well-known' : path}/did.json`
}

async function keyIn(value: string): Promise<Keys> {
  const [, method = ''] = value.split(':')
  if (method !== 'key' && method !== 'jwk') {
    return problemOf(
      'not_provable',
      `did:${method} cannot be resolved here; did:key, did:jwk and did:web can`,
    )
  }
  const key = await keyOfJwk(jwkIn(value))
  return key ? { keys: [key] } : problemOf('malformed', `${value} holds no key that can be used`)
}

/** What did:key and did:jwk name; null for another method. */
function jwkIn(value: string): unknown {
  const [, method, text = ''] = value.split(':')
  switch (method) {
    case 'jwk':
      return jsonIn(text)
    case 'key':
      return jwkOfMultibase(text)
    default:
      return null
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}

async function readDocument(reading: Reading, value: string): Promise<Keys> {
  const path = new URL(documentUrl(value)).pathname
  let last: Keys = problemOf('address_not_allowed', `${authorityOf(value)} is not a public host`)
  for (const origin of originsOf(reading.outbound, authorityOf(value))) {
    const read = await readJson(reading, origin + path)
    if ('json' in read) {
      return keysOf(value, read.json)
    }
    last = read
  }
  return last
}

/** The keys by which the subject authenticates itself, or makes statements. */
async function keysOf(value: string, document: Readonly<Record<string, unknown>>): Promise<Keys> {
  if (document.id !== value) {
    return problemOf(
      'wrong_subject',
      `the DID document is not about ${value}: its id must be the DID`,
    )
  }
  const methods = listOf(document.verificationMethod)
  const named = [...listOf(document.authentication), ...listOf(document.assertionMethod)]
  const chosen = named.flatMap((one) =>
    typeof one === 'string'
      ? methods.filter((method) => idOf(value, method) === absolute(value, one))
      : [one],
  )
  // A document may name a method again and again, and each key is tried with a signature.
  const different = [...new Set(named.length > 0 ? chosen : methods)].slice(0, METHODS_MAX)
  const found = await Promise.all(different.map(keyOfMethod))
  return { keys: found.filter((key) => key !== null) }
}

function idOf(value: string, method: unknown): string {
  return absolute(value, String((method as { id?: unknown } | null)?.id))
}

function absolute(value: string, id: string): string {
  return id.startsWith('#') ? value + id : id
}

async function keyOfMethod(method: unknown): Promise<PublicKey | null> {
  if (typeof method !== 'object' || method === null) {
    return null
  }
  const { id, publicKeyJwk, publicKeyMultibase } = method as Readonly<Record<string, unknown>>
  const key = await keyOfJwk(
    typeof publicKeyMultibase === 'string' ? jwkOfMultibase(publicKeyMultibase) : publicKeyJwk,
  )
  return key && { ...key, kid: typeof id === 'string' ? id : key.kid }
}

/** More methods than any subject needs are cut off: each costs a key to read. */
const METHODS_MAX = 50

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, METHODS_MAX) : []
}
