/**
 * Which types of credentials were issued to an agent, and by whom. The same statement twice is one
 * statement, and each further type of one issuer is worth half of the one before. A later one renews what
 * time took of the first. What was revoked is remembered, so that issuing and revoking again changes no
 * weight, in either direction.
 */
import { exp2 } from '../domain/math.ts'
import type { Model } from '../domain/model.ts'
import { dayOf } from '../domain/time.ts'
import { fingerprint } from './digest.ts'
import type { BehaviourProfile, CredentialTypeUse } from './profile.ts'
import type { InspectedEvent } from './rule.ts'

/** The model counts five credentials of the owner's own; a few more outlive their decay. */
const OWN_TYPES_MAX = 8
/** The fifth type of one issuer would count a sixteenth. */
const TYPES_PER_ISSUER_MAX = 4
/** Of all platforms together: the profile stays small. */
const PLATFORM_TYPES_MAX = 24
/** What is issued again after it was revoked counts half of what it did, and after a few times nothing. */
const AGAIN_SHARE = 0.5
const AGAIN_SHARE_MIN = 0.1
/** A platform that revokes what it did not issue states an opinion: it counts a tenth, once. */
const OPINION_SHARE = 0.1

/**
 * How much of a credential event counts: of the first of a type and issuer that is issued its share, of later ones
 * what time has taken of it, and of the last that is revoked what is left. 1 for any other event. Nothing of what the
 * agent's own side says of a credential, living or not: the service records what its owner issues and revokes.
 */
export function credentialShare(
  model: Model,
  { credentialTypes }: BehaviourProfile,
  event: InspectedEvent,
): number {
  if (!isCredentialEvent(event)) {
    return 1
  }
  if (isRepeated(event) || (event.reporter.kind !== 'platform' && namesNone(event))) {
    return 0
  }
  const known = useOf(credentialTypes, event)
  if (!known) {
    const first = hasRoom(credentialTypes, event) ? firstShare(credentialTypes, event) : 0
    const isOpinion = event.type === 'credential.revoked' && !event.self
    return isOpinion ? OPINION_SHARE * first : first
  }
  const left = known.share * keptOf(model, known, event)
  if (event.type === 'credential.revoked') {
    return isWithdrawn(known, event) ? left : 0
  }
  return known.count === 0 ? shareAgain(known) : known.share - left
}

/**
 * Whether a revocation withdraws what the issuer says: that of the last credential that is left, or of the one that was
 * issued last. One before it has been replaced.
 */
function isWithdrawn({ count, latest }: CredentialTypeUse, event: InspectedEvent): boolean {
  return count === 1 || (count > 1 && latest !== '' && latest === idOf(event))
}

/** The part of a share that has not decayed since it was issued or renewed: as the evidence decays, by whole days. */
function keptOf(
  { halfLifeDays }: Model,
  { issuedOn }: CredentialTypeUse,
  { at }: InspectedEvent,
): number {
  const days = issuedOn < 0 ? 0 : Math.max(0, dayOf(at) - issuedOn)
  return exp2(-days / halfLifeDays)
}

export function nextCredentialTypes(
  { credentialTypes }: BehaviourProfile,
  event: InspectedEvent,
): readonly CredentialTypeUse[] {
  // What names no living credential takes no place from others.
  if (isRepeated(event) || namesNone(event)) {
    return credentialTypes
  }
  const known = useOf(credentialTypes, event)
  switch (event.type) {
    case 'credential.issued':
      if (known) {
        return withAnother(credentialTypes, known, event)
      }
      return hasRoom(credentialTypes, event)
        ? [...credentialTypes, newUse(credentialTypes, event)]
        : credentialTypes
    case 'credential.revoked':
      if (known) {
        const count = isWithdrawn(known, event) ? 0 : Math.max(0, known.count - 1)
        return replaced(credentialTypes, known, { ...known, count })
      }
      return event.self || !hasRoom(credentialTypes, event)
        ? credentialTypes
        : [...credentialTypes, { ...newUse(credentialTypes, event), count: 0 }]
    default:
      return credentialTypes
  }
}

/**
 * What is remembered of credentials after the agent changed hands. The evidence of those that were in force ends with
 * it, so one of the same type and issuer is a new statement. Revocations stay in the evidence, and here.
 */
export function keptCredentialTypes({
  credentialTypes,
}: Pick<BehaviourProfile, 'credentialTypes'>): readonly CredentialTypeUse[] {
  return credentialTypes.filter(({ count }) => count === 0)
}

/** Whether the event names no living credential, though it must: a platform's is quarantined, any other counts nothing. */
function namesNone({ needsCredential, credential }: InspectedEvent): boolean {
  return needsCredential && !credential
}

/**
 * Whether the agent's own side reports what the service or a platform has recorded: counted again, it would raise the
 * score, or outlast a revocation.
 */
function isRepeated({ self, needsCredential, credential }: InspectedEvent): boolean {
  return self && needsCredential && credential !== null
}

function isCredentialEvent({ type }: InspectedEvent): boolean {
  return type === 'credential.issued' || type === 'credential.revoked'
}

function withAnother(
  uses: readonly CredentialTypeUse[],
  known: CredentialTypeUse,
  event: InspectedEvent,
): readonly CredentialTypeUse[] {
  const share = known.count === 0 ? shareAgain(known) : known.share
  const issuedOn = Math.max(known.issuedOn, dayOf(event.at))
  const latest = idOf(event)
  return replaced(uses, known, { ...known, count: known.count + 1, share, issuedOn, latest })
}

function replaced(
  uses: readonly CredentialTypeUse[],
  before: CredentialTypeUse,
  after: CredentialTypeUse,
): readonly CredentialTypeUse[] {
  return uses.map((one) => (one === before ? after : one))
}

function shareAgain({ share }: CredentialTypeUse): number {
  const next = AGAIN_SHARE * share
  return next < AGAIN_SHARE_MIN ? 0 : next
}

function newUse(uses: readonly CredentialTypeUse[], event: InspectedEvent): CredentialTypeUse {
  const share = firstShare(uses, event)
  return {
    issuer: issuerOf(event),
    tag: tagOf(event),
    count: 1,
    share,
    issuedOn: dayOf(event.at),
    latest: idOf(event),
  }
}

/**
 * How much each type counts that a platform has not issued to the agent yet, one after the other. Further ones count
 * nothing. `issuer` is in whose name they count (`InspectedEvent`).
 */
export function sharesOfNewTypes(
  { credentialTypes: uses }: Pick<BehaviourProfile, 'credentialTypes'>,
  by: { readonly issuer: string; readonly platform: string },
): readonly number[] {
  const names = [fingerprint([by.issuer]), fingerprint([by.platform])]
  const own = ofNames(uses, names).length
  const count = Math.min(TYPES_PER_ISSUER_MAX - own, PLATFORM_TYPES_MAX - ofPlatforms(uses))
  return Array.from({ length: Math.max(0, count) }, (_, i) => nthShare(own + i))
}

/** Own credentials weigh a tenth in the model and are limited there. */
function firstShare(uses: readonly CredentialTypeUse[], event: InspectedEvent): number {
  return event.self ? 1 : nthShare(ofIssuer(uses, event).length)
}

/** How much a type counts after so many of its issuer. */
function nthShare(before: number): number {
  return exp2(-before)
}

function hasRoom(uses: readonly CredentialTypeUse[], event: InspectedEvent): boolean {
  const own = ofIssuer(uses, event).length
  if (event.self) {
    return own < OWN_TYPES_MAX
  }
  return own < TYPES_PER_ISSUER_MAX && ofPlatforms(uses) < PLATFORM_TYPES_MAX
}

function ofPlatforms(uses: readonly CredentialTypeUse[]): number {
  return uses.filter(({ issuer }) => issuer !== OWN_SIDE).length
}

function ofIssuer(
  uses: readonly CredentialTypeUse[],
  event: InspectedEvent,
): readonly CredentialTypeUse[] {
  return ofNames(uses, [issuerOf(event), formerIssuerOf(event)])
}

function ofNames(
  uses: readonly CredentialTypeUse[],
  names: readonly string[],
): readonly CredentialTypeUse[] {
  return uses.filter(({ issuer }) => names.includes(issuer))
}

function useOf(
  uses: readonly CredentialTypeUse[],
  event: InspectedEvent,
): CredentialTypeUse | undefined {
  const tag = tagOf(event)
  return ofIssuer(uses, event).find((one) => one.tag === tag)
}

/** The agent's own side is one issuer. */
const OWN_SIDE = ''
/**
 * Platforms of one owner are one issuer, and so are those that share a vote: with places of their own, six of them
 * would take all places.
 */
function issuerOf({ self, issuer }: InspectedEvent): string {
  return self ? OWN_SIDE : fingerprint([issuer])
}

/** What the event's platform issued in its own name: before it shared a vote or was counted with its owner's. */
function formerIssuerOf(event: InspectedEvent): string {
  return event.self ? OWN_SIDE : fingerprint([event.reporter.id])
}

/** The type of the credential itself where it is known, else the type that the report names. */
function tagOf({ credential, data: { credentialType = '' } }: InspectedEvent): string {
  return fingerprint([credential?.type ?? credentialType])
}

/** The credential itself; empty where the event names none. */
function idOf({ data: { credentialId } }: InspectedEvent): string {
  return credentialId === undefined ? '' : fingerprint([credentialId])
}
