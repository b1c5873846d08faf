/**
 * Which types of credentials an agent's own side has issued to it. What it says twice it has said
 * once: a thousand of one type are worth what the first is (A13).
 */
import { fingerprint } from './digest.ts'
import type { BehaviourProfile, CredentialTypeUse } from './profile.ts'
import type { InspectedEvent } from './rule.ts'

/** The model counts five credentials of the owner's own; a few more outlive its fading. */
const KINDS_MAX = 8

/**
 * How much of a credential event of the agent's own side counts: all of the first of a type that is
 * issued and of the last that is revoked, nothing of those between.
 */
export function newsIn({ credentialTypes: kinds }: BehaviourProfile, event: InspectedEvent): 0 | 1 {
  const { self, type } = event
  if (!self || !(type === 'credential.issued' || type === 'credential.revoked')) {
    return 1
  }
  const known = kindOf(kinds, event)
  if (!known) {
    return kinds.length < KINDS_MAX ? 1 : 0
  }
  return type === 'credential.revoked' && known.count === 1 ? 1 : 0
}

export function nextKinds(
  { credentialTypes: kinds }: BehaviourProfile,
  event: InspectedEvent,
): readonly CredentialTypeUse[] {
  const { self, type } = event
  if (!self) {
    return kinds
  }
  const known = kindOf(kinds, event)
  switch (type) {
    case 'credential.issued':
      if (known) {
        return changed(kinds, known, 1)
      }
      return kinds.length < KINDS_MAX ? [...kinds, { tag: tagOf(event), count: 1 }] : kinds
    case 'credential.revoked':
      return known ? changed(kinds, known, -1) : kinds
    default:
      return kinds
  }
}

function changed(
  kinds: readonly CredentialTypeUse[],
  known: CredentialTypeUse,
  by: number,
): readonly CredentialTypeUse[] {
  return kinds
    .map((one) => (one === known ? { ...one, count: one.count + by } : one))
    .filter(({ count }) => count > 0)
}

function kindOf(
  kinds: readonly CredentialTypeUse[],
  event: InspectedEvent,
): CredentialTypeUse | undefined {
  const tag = tagOf(event)
  return kinds.find((one) => one.tag === tag)
}

function tagOf({ data: { credentialType = '' } }: InspectedEvent): string {
  return fingerprint([credentialType])
}
