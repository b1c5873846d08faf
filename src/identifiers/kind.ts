import type { IdentifierType, ProofProblem, ProofProblemCode } from '../domain/identifier.ts'
import { isDeeper, isJsonObject } from '../lib/json-object.ts'
import type { Fetched, FetchedDocument } from '../outbound/fetch-document.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { checkPublicUrl } from '../outbound/url.ts'
import type { PublicKey } from './keys.ts'
import type { Reason } from './reasons.ts'

/** What proofs are looked up with. */
export interface Reading {
  readonly outbound: Outbound
  /** The JSON-RPC endpoint of a chain by its id (`eip155:1`), as far as the operator has set one. */
  readonly chainRpc: ReadonlyMap<string, string>
  readonly now: () => number
}

/** The keys that may sign for a name, or why the name cannot be read. */
export type Keys = { readonly keys: readonly PublicKey[] } | { readonly problem: ProofProblem }

/** The definition of one type of identifier. */
export interface Kind {
  readonly type: IdentifierType
  /** What the value must look like, in words that go on from the field's name. */
  readonly form: string
  /**
   * What is wrong with a value that is claimed, where more can be said than `form`. `text` is the value as it was
   * given.
   */
  readonly reasonAgainst?: (value: string, text: string) => Reason
  /** Whether the value, in its canonical spelling, is one of this type. */
  isValue(value: string): boolean
  /** The URL that must be allowed for the value to be claimed; null without one. */
  urlOf(value: string): string | null
  /** The host, with its port, at which a challenge proves the name; null where none does. */
  hostOf(value: string): string | null
  /** The key that signs a challenge for this name; null if no signature can prove it. */
  signerIn(value: string): string | null
  /** Reads what the name stands for, and the keys in it. */
  read(reading: Reading, value: string): Promise<Keys>
  /** Keys published elsewhere, read only to check a signature. */
  readonly moreKeys?: (reading: Reading, value: string) => Promise<Keys>
  /** The name of the key that signed; only for signatures that are not by one of `keys`. */
  readonly signer?: (input: SignatureInput) => Promise<string | null | Problem>
  /** Who holds the name now, where that is recorded elsewhere. */
  readonly holder?: (reading: Reading, value: string) => Promise<string | Problem>
  /** Whether the key of an earlier signature can be looked up again. */
  readonly isKeyPublished: (value: string) => boolean
}

export interface SignatureInput {
  readonly reading: Reading
  readonly value: string
  readonly challenge: string
  readonly signature: string
  readonly keys: readonly PublicKey[]
}

export const NO_KEYS: Keys = { keys: [] }

export function problemOf(code: ProofProblemCode, message: string): Problem {
  return { problem: { code, message } }
}

/** More than cards with schemas have. Beyond some thousands, what reads a document would run out of stack. */
const DEPTH_MAX = 64

/** The document at a URL as JSON, or what is wrong with it. */
export async function readJson(
  { outbound }: Reading,
  url: string,
  accept = 'application/json',
): Promise<{ json: Readonly<Record<string, unknown>>; document: FetchedDocument } | Problem> {
  const fetched = await outbound.fetch(url, accept)
  if ('problem' in fetched) {
    return withUrl(url, fetched)
  }
  try {
    const json: unknown = JSON.parse(fetched.document.text)
    if (isDeeper(json, DEPTH_MAX)) {
      return problemOf('malformed', `${url} is nested deeper than ${DEPTH_MAX} levels`)
    }
    if (isJsonObject(json)) {
      return { json, document: fetched.document }
    }
  } catch {
    // The problem is the same as for JSON that is no object.
  }
  return problemOf('malformed', `${url} is not a JSON object`)
}

/** Why a name is not proven. */
export interface Problem {
  readonly problem: ProofProblem
}

function withUrl(url: string, { problem }: Extract<Fetched, { problem: unknown }>): Problem {
  return problemOf(problem.code, `${url} ${problem.message}`)
}

/** Reads a path of a host: by https or, on hosts that the operator lists, by http. */
export async function fetchFrom(
  { outbound }: Pick<Reading, 'outbound'>,
  host: string,
  path: string,
): Promise<{ readonly document: FetchedDocument } | Problem> {
  let result: Problem | null = null
  for (const origin of originsOf(outbound, host)) {
    const fetched = await outbound.fetch(origin + path)
    if ('document' in fetched) {
      return fetched
    }
    if (result === null || fetched.problem.isAnswered) {
      result = withUrl(origin + path, fetched)
    }
  }
  return result ?? problemOf('address_not_allowed', `${host} is not a public host`)
}

export function originsOf({ policy }: Outbound, host: string): readonly string[] {
  return [`https://${host}`, `http://${host}`].filter((url) => checkPublicUrl(url, policy).ok)
}

/** The host and port of a URL. */
export function hostOfUrl(value: string): string {
  return new URL(value).host
}

/** A host without its port. */
export function hostNameOf(host: string): string {
  return host.replace(/:\d+$/, '')
}

export function isWebUrl(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value)
}
