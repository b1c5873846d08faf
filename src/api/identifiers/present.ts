import type { Identifier } from '../../domain/identifier.ts'
import { waysToProve } from '../../identifiers/ways.ts'
import { time, timeOrNull } from '../wire.ts'

/** The whole claim, for callers who may prove it. */
export function presentIdentifier(identifier: Identifier) {
  return {
    ...common(identifier),
    challenge: identifier.challenge,
    ways: waysToProve(identifier),
    problem: identifier.problem,
  }
}

/** The public part of a verified one. */
export function presentPublicIdentifier(identifier: Identifier) {
  return { ...common(identifier), challenge: null, ways: [], problem: null }
}

function common(identifier: Identifier) {
  const { id, agentId, type, value, status, proof } = identifier
  return {
    id,
    agentId,
    type,
    value,
    status,
    proof,
    createdAt: time(identifier.createdAt),
    verifiedAt: timeOrNull(identifier.verifiedAt),
    checkedAt: timeOrNull(identifier.checkedAt),
  }
}
