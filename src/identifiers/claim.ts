import { randomBytes } from 'node:crypto'
import { checkLimit } from '../domain/error.ts'
import type { Identifier, IdentifierType } from '../domain/identifier.ts'
import type { Sources } from '../lib/sources.ts'
import type { AddressPolicy } from '../outbound/address.ts'
import type { Store } from '../store/store.ts'
import { checkedValue } from './value.ts'

/** An agent has a handful of names; each is kept and checked again for as long as it exists. */
export const IDENTIFIERS_MAX = 50

/** 128 bits: the challenge of another claim cannot be guessed. */
const NONCE_BYTES = 16

export interface Claiming extends Sources {
  readonly baseUrl: () => string
  readonly addresses: AddressPolicy
}

export interface ClaimInput {
  readonly type: IdentifierType
  readonly value: string
}

/** Claims a name for an agent, or returns the claim that it has. A claim gives no rights until it is proven. */
export async function claimIdentifier(
  within: Store,
  sources: Claiming,
  agentId: string,
  input: ClaimInput,
): Promise<{ readonly identifier: Identifier; readonly isNew: boolean }> {
  const { type } = input
  const value = checkedValue(sources.addresses, type, input.value)
  // The agent is locked, so that two claims at once cannot both take the last place.
  await within.agentStates.find({ agentId }, { lock: 'wait' })
  const known = await within.identifiers.find({ agentId, type, value })
  if (known) {
    return { identifier: known, isNew: false }
  }
  const { rows } = await within.identifiers.list({ agentId }, null, IDENTIFIERS_MAX)
  const refusal = `an agent may have ${IDENTIFIERS_MAX} identifiers; delete one first`
  checkLimit('max_identifiers', rows.length, IDENTIFIERS_MAX, refusal)
  const identifier: Identifier = {
    id: sources.newId(),
    agentId,
    type,
    value,
    status: 'claimed',
    challenge: newChallenge(sources.baseUrl(), agentId),
    proof: null,
    problem: null,
    failingSince: null,
    createdAt: sources.now(),
    verifiedAt: null,
    checkedAt: null,
    nextCheckAt: null,
  }
  await within.identifiers.insert(identifier)
  return { identifier, isNew: true }
}

/**
 * The text to publish or sign. It names this service and the agent, so that a person who signs it
 * sees what for, and a signature for one service or agent is not valid for another.
 */
function newChallenge(baseUrl: string, agentId: string): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return `standing-challenge=${baseUrl}/agents/${agentId}#${nonce}`
}
