import { canonicalJson } from '../../domain/canonical-json.ts'
import { keysOfJwks, type PublicKey } from '../keys.ts'
import {
  hostOfUrl,
  isWebUrl,
  type Keys,
  type Kind,
  problemOf,
  type Reading,
  readJson,
} from '../kind.ts'
import { urlReason } from '../reasons.ts'
import { jwsSigner, protectedHeader } from '../signature.ts'

/** The URL of an agent card of the A2A protocol, which may be signed (its section 8.4). */
export const A2A_CARD: Kind = {
  type: 'a2a_card',
  form: 'must be the https URL of an agent card, such as https://agent.example.com/.well-known/agent-card.json',
  reasonAgainst: urlReason,
  isValue: isWebUrl,
  urlOf: (value) => value,
  hostOf: hostOfUrl,
  signerIn: () => 'a key that signed the card, published at the `jku` of its signature',
  read: readCard,
  isKeyPublished: () => true,
}

/** A card has one signature, or two while a key is replaced. */
const SIGNATURES_MAX = 5

async function readCard(reading: Reading, url: string): Promise<Keys> {
  const read = await readJson(reading, url)
  if ('problem' in read) {
    return read
  }
  const card = read.json
  const hasInterface = Array.isArray(card.supportedInterfaces) || typeof card.url === 'string'
  if (typeof card.name !== 'string' || !hasInterface) {
    return problemOf(
      'malformed',
      `${url} is not an agent card: name and supportedInterfaces are needed`,
    )
  }
  const signatures = Array.isArray(card.signatures) ? card.signatures.slice(0, SIGNATURES_MAX) : []
  const signers: PublicKey[] = []
  for (const signature of signatures) {
    const signer = await signerOfCard(reading, url, card, signature)
    if ('problem' in signer) {
      return signer
    }
    signers.push(signer)
  }
  return { keys: signers }
}

/** A card whose signature does not hold was changed on its way: nothing in it is believed. */
async function signerOfCard(
  reading: Reading,
  url: string,
  { signatures: _, ...card }: Readonly<Record<string, unknown>>,
  entry: unknown,
): Promise<PublicKey | Extract<Keys, { problem: unknown }>> {
  const { protected: head, signature } = (entry ?? {}) as Readonly<Record<string, unknown>>
  if (typeof head !== 'string' || typeof signature !== 'string') {
    return problemOf('malformed', 'a signature of the card lacks protected or signature')
  }
  const jku = protectedHeader({ protected: head })?.jku
  if (typeof jku !== 'string' || !isWebUrl(jku) || new URL(jku).origin !== new URL(url).origin) {
    return problemOf(
      'key_not_found',
      'the jku of the card’s signature must be a URL on the card’s host',
    )
  }
  const read = await readJson(reading, jku)
  if ('problem' in read) {
    return read
  }
  const keys = await keysOfJwks(read.json)
  for (const payload of [canonicalJson(withoutEmpty(card) ?? {}), canonicalJson(card)]) {
    const encoded = Buffer.from(payload).toString('base64url')
    const signer = jwsSigner({ protected: head, payload: encoded, signature }, keys)
    if (signer) {
      return signer
    }
  }
  return problemOf(
    'signature_invalid',
    'the signature of the card does not verify with the keys of its jku',
  )
}

/** Fields with default values are left out of what is signed: empty text, lists and objects. */
function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === null) {
    return undefined
  }
  if (Array.isArray(value)) {
    const left = value.map(withoutEmpty).filter((one) => one !== undefined)
    return left.length > 0 ? left : undefined
  }
  if (typeof value !== 'object') {
    return value
  }
  const left = Object.entries(value as object).flatMap(([name, field]) => {
    const kept = withoutEmpty(field)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return left.length > 0 ? Object.fromEntries(left) : undefined
}
