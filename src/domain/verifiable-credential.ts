/**
 * Credentials as W3C Verifiable Credentials (Data Model 2.0), ready to be signed as VC-JOSE-COSE
 * asks: the payload is the credential itself, with the registered JWT claims beside it.
 */
import type { Credential, StatusPlace } from './credential.ts'

const CONTEXT = 'https://www.w3.org/ns/credentials/v2'
/** Gives a meaning of last resort to terms that no context defines: owners choose their own. */
const CONTEXT_UNDEFINED = 'https://www.w3.org/ns/credentials/undefined-terms/v2'

export const SCORE_CREDENTIAL = 'StandingScore'

/** Marks what an owner states about its own agent, apart from what the service itself certifies. */
const OWNERS_WORD = 'OwnerAssertion'

/** Types that mean something to verifiers, and so are not an owner's to give. */
const TYPES_RESERVED = [
  SCORE_CREDENTIAL,
  OWNERS_WORD,
  'VerifiableCredential',
  'EnvelopedVerifiableCredential',
  'VerifiablePresentation',
  'EnvelopedVerifiablePresentation',
  'BitstringStatusListCredential',
  'BitstringStatusList',
  'BitstringStatusListEntry',
]

/**
 * Whether a type is reserved, in any spelling: the case, separators and the alphabet of a letter make no
 * difference to a reader. A type that begins with the name of the service is reserved too.
 */
export function isReservedType(type: string): boolean {
  const plain = type
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
  const isMixed =
    /\p{Script=Latin}/u.test(plain) && /\p{Script=Cyrillic}|\p{Script=Greek}/u.test(plain)
  const isKnown = TYPES_RESERVED.some((reserved) => reserved.toLowerCase() === plain)
  return isKnown || isMixed || plain.startsWith('standing')
}

/** `id` names the subject, and `@…` is JSON-LD's own: neither can be a claim. */
export function isReservedClaim(name: string): boolean {
  return name === 'id' || /^@[a-z]+$/i.test(name)
}

/** The DID (did:web) of the service at this address. */
export function didOf(baseUrl: string): string {
  const [, host = '', path = ''] = /^https?:\/\/([^/]+)(.*)$/i.exec(baseUrl) ?? []
  const names = [host.toLowerCase(), ...path.split('/').filter((part) => part !== '')]
  return `did:web:${names.map(encodeURIComponent).join(':')}`
}

function credentialUrl(baseUrl: string, id: string): string {
  return `${baseUrl}/v1/credentials/${id}`
}

function agentUrl(baseUrl: string, agentId: string): string {
  return `${baseUrl}/v1/agents/${agentId}`
}

/** Of a credential's address: who serves it, and which it is; null when it is no such address. */
export function readCredentialUrl(url: unknown): { baseUrl: string; id: string } | null {
  if (typeof url !== 'string') {
    return null
  }
  const match =
    /^(https?:\/\/[^?#]+)\/v1\/credentials\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
  const [, baseUrl, id] = match.exec(url) ?? []
  return baseUrl !== undefined && id !== undefined ? { baseUrl, id } : null
}

export const STATUS_PURPOSES = ['revocation', 'suspension'] as const
export type StatusPurpose = (typeof STATUS_PURPOSES)[number]

/** The least that the standard allows: a verifier's question hides among as many. */
export const STATUS_LIST_LENGTH = 131_072

function statusListUrl(baseUrl: string, list: number, purpose: StatusPurpose): string {
  return `${baseUrl}/v1/status-lists/${list}/${purpose}`
}

export type Payload = Readonly<Record<string, unknown>>

/** The payload to be signed for a credential, by the service at `baseUrl`. */
export function credentialPayload(
  credential: Omit<Credential, 'signature'>,
  baseUrl: string,
  signedAt: number,
): Payload {
  const { issuerId, type, claims, issuedAt, expiresAt, place } = credential
  const id = credentialUrl(baseUrl, credential.id)
  const subject = agentUrl(baseUrl, credential.agentId)
  const isOwners = issuerId !== null
  const issuer = didOf(baseUrl)
  return {
    '@context': [CONTEXT, CONTEXT_UNDEFINED],
    id,
    type: isOwners ? ['VerifiableCredential', OWNERS_WORD, type] : ['VerifiableCredential', type],
    issuer,
    ...(isOwners ? { assertedBy: `urn:uuid:${issuerId}` } : {}),
    validFrom: timeText(issuedAt),
    ...(expiresAt === null ? {} : { validUntil: timeText(expiresAt) }),
    // The subject comes first for the reader, and last so that no claim can put another in its place.
    credentialSubject: Object.assign({ id: subject }, claims, { id: subject }),
    credentialStatus: STATUS_PURPOSES.map((purpose) => statusEntry(baseUrl, place, purpose)),
    ...registered({ iss: issuer, sub: subject, jti: id }, issuedAt, expiresAt, signedAt),
  }
}

const ATTESTATION = 'StandingAttestation'

/** What the service states about an agent for a while. */
export interface Statement {
  readonly agentId: string
  readonly facts: Payload
  readonly from: number
  readonly until: number
}

/** The payload to be signed for a statement that is good for a while, and is never revoked. */
export function statementPayload(
  { agentId, facts, from, until }: Statement,
  baseUrl: string,
): Payload {
  const subject = agentUrl(baseUrl, agentId)
  const id = `${subject}/attestation#${from}`
  const issuer = didOf(baseUrl)
  return {
    '@context': [CONTEXT, CONTEXT_UNDEFINED],
    id,
    type: ['VerifiableCredential', ATTESTATION],
    issuer,
    validFrom: timeText(from),
    validUntil: timeText(until),
    credentialSubject: { id: subject, ...facts },
    ...registered({ iss: issuer, sub: subject, jti: id }, from, until, from),
  }
}

function statusEntry(baseUrl: string, { list, index }: StatusPlace, statusPurpose: StatusPurpose) {
  const statusListCredential = statusListUrl(baseUrl, list, statusPurpose)
  return {
    id: `${statusListCredential}#${index}`,
    type: 'BitstringStatusListEntry',
    statusPurpose,
    statusListIndex: String(index),
    statusListCredential,
  }
}

export interface StatusList {
  readonly list: number
  readonly purpose: StatusPurpose
  /** Multibase base64url of the gzipped bits. */
  readonly encodedList: string
  readonly from: number
  readonly until: number
  /** How long a verifier may use it. */
  readonly ttlMs: number
}

/** The payload to be signed for a status list. */
export function statusListPayload(published: StatusList, baseUrl: string): Payload {
  const { list, purpose, encodedList, from, until, ttlMs } = published
  const id = statusListUrl(baseUrl, list, purpose)
  const issuer = didOf(baseUrl)
  const subject = `${id}#list`
  return {
    '@context': [CONTEXT],
    id,
    type: ['VerifiableCredential', 'BitstringStatusListCredential'],
    issuer,
    validFrom: timeText(from),
    validUntil: timeText(until),
    credentialSubject: {
      id: subject,
      type: 'BitstringStatusList',
      statusPurpose: purpose,
      ttl: ttlMs,
      encodedList,
    },
    ...registered({ iss: issuer, sub: subject, jti: id }, from, until, from),
  }
}

/** Whole seconds, for that is what every library reads; an end is never later than it was meant. */
function registered(
  names: { readonly iss: string; readonly sub: string; readonly jti: string },
  from: number,
  until: number | null,
  signedAt: number,
) {
  const exp = until === null ? {} : { exp: seconds(until) }
  return { ...names, iat: seconds(signedAt), nbf: seconds(from), ...exp }
}

function seconds(at: number): number {
  return Math.floor(at / 1000)
}

function timeText(at: number): string {
  return new Date(at).toISOString()
}

/** Bits as the standard numbers them: the first is the highest bit of the first byte. */
export function bitstring(indexes: Iterable<number>): Uint8Array {
  const bytes = new Uint8Array(STATUS_LIST_LENGTH / 8)
  for (const index of indexes) {
    const at = index >> 3
    bytes[at] = (bytes[at] ?? 0) | (0x80 >> (index & 7))
  }
  return bytes
}

/** Whether a payload is, to the letter, what would be signed for this record; `iat` may differ. */
export function isPayloadOf(
  payload: Payload,
  credential: Omit<Credential, 'signature'>,
  baseUrl: string,
): boolean {
  const { iat } = payload
  if (typeof iat !== 'number') {
    return false
  }
  return isSame(payload, credentialPayload(credential, baseUrl, iat * 1000))
}

/** Whether two JSON values are the same, in whatever order their keys come. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) {
    return true
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return false
  }
  if (Array.isArray(a) !== Array.isArray(b)) {
    return false
  }
  const [left, right] = [a as Payload, b as Payload]
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  )
}
