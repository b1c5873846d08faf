import { HOUR_MS } from './time.ts'

/** The kinds of names under which agents are known elsewhere. */
export const IDENTIFIER_TYPES = [
  'did',
  'domain',
  'a2a_card',
  'mcp_server',
  'web_bot_auth',
  'caip10',
  'erc8004',
  'oauth_client',
  'spiffe',
] as const

export type IdentifierType = (typeof IDENTIFIER_TYPES)[number]

/** `claimed`: without proof, and without rights. `verified`: proven, and still provable. */
export type IdentifierStatus = 'claimed' | 'verified'

/** By which an agent shows that a name is its own. */
export const PROOF_METHODS = ['well_known', 'dns', 'signature'] as const

export type ProofMethod = (typeof PROOF_METHODS)[number]

export interface Proof {
  readonly method: ProofMethod
  /** The thumbprint or the address of the key that signed; null where no key did. */
  readonly keyId: string | null
}

/** Why a name could not be verified, or no longer is. */
export interface ProofProblem {
  readonly code: ProofProblemCode
  readonly message: string
}

export const PROOF_PROBLEMS = [
  'challenge_missing',
  'signature_required',
  'signature_invalid',
  'key_not_found',
  'wrong_subject',
  'not_provable',
  'address_not_allowed',
  'unreachable',
  'timeout',
  'too_large',
  'redirected',
  'not_found',
  'malformed',
  'agent_transferred',
] as const

export type ProofProblemCode = (typeof PROOF_PROBLEMS)[number]

/** A name of an agent. */
export interface Identifier {
  readonly id: string
  readonly agentId: string
  readonly type: IdentifierType
  /** In its one canonical spelling. */
  readonly value: string
  readonly status: IdentifierStatus
  /** The text to publish or to sign. */
  readonly challenge: string
  /** How it was proven last; null while it never was. */
  readonly proof: Proof | null
  /** The result of the last check, if that failed. */
  readonly problem: ProofProblem | null
  /** Since when checks of a verified one fail. */
  readonly failingSince: number | null
  readonly createdAt: number
  readonly verifiedAt: number | null
  readonly checkedAt: number | null
  /** When it is checked again; null where there is nothing to check. */
  readonly nextCheckAt: number | null
}

/** A domain changes hands over weeks, a key within a day. */
const CHECK_EVERY_MS = 24 * HOUR_MS

/** While checks fail, the owner's repair is seen within the hour. */
const CHECK_FAILING_EVERY_MS = HOUR_MS

/** A server that is down over a long weekend does not cost a name. */
const UNREACHABLE_MAX_MS = 72 * HOUR_MS

/** Whether a place was reached, and what it says is no proof. */
export function isAnswered({ code }: ProofProblem): boolean {
  return code !== 'unreachable' && code !== 'timeout'
}

/** When a name is first checked again; never, where only its holder could prove it again. */
function firstCheckAt(isCheckable: boolean, now: number): number | null {
  return isCheckable ? now + CHECK_EVERY_MS : null
}

/**
 * A verified name after a check; `problem` is null where its proof still holds. It lapses at the second
 * check in a row that was answered without a proof, so that a file lost for a minute costs nothing, or
 * once its place was out of reach for three days.
 */
export function afterCheck(
  identifier: Identifier,
  problem: ProofProblem | null,
  now: number,
): Identifier {
  const checked = { ...identifier, problem, checkedAt: now }
  if (problem === null) {
    return { ...checked, failingSince: null, nextCheckAt: now + CHECK_EVERY_MS }
  }
  const failingSince = identifier.failingSince ?? now
  const wasAnswered = identifier.problem !== null && isAnswered(identifier.problem)
  const isOver = isAnswered(problem) ? wasAnswered : now - failingSince >= UNREACHABLE_MAX_MS
  return isOver
    ? { ...checked, status: 'claimed', failingSince, nextCheckAt: null }
    : { ...checked, failingSince, nextCheckAt: now + CHECK_FAILING_EVERY_MS }
}

/** An identifier whose proof has just been checked. */
export function verifiedNow(
  identifier: Identifier,
  proof: Proof,
  isCheckable: boolean,
  now: number,
): Identifier {
  return {
    ...identifier,
    status: 'verified',
    proof,
    problem: null,
    failingSince: null,
    verifiedAt: identifier.status === 'verified' ? identifier.verifiedAt : now,
    checkedAt: now,
    nextCheckAt: firstCheckAt(isCheckable, now),
  }
}

/** A name that another agent has proven since, or whose agent has given it up. */
export function lapsedNow(identifier: Identifier, problem: ProofProblem, now: number): Identifier {
  return {
    ...identifier,
    status: 'claimed',
    problem,
    failingSince: identifier.failingSince ?? now,
    checkedAt: now,
    nextCheckAt: null,
  }
}
