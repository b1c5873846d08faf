/**
 * What an agent keeps of its evidence when it changes hands. What was reported stays, good and bad. What
 * was a matter of its owner, its tenure and its credentials, ends or is halved. So neither buying an agent nor
 * replacing it is worth more than keeping it. Events of the same kind say that its parent limits it, and that the
 * operator discards what a platform reported: these may raise a score, too.
 */

import { NO_CLASSES } from './class-trust.ts'
import { advanceTo, tenureDays } from './decay.ts'
import type { EventData, HandoverType } from './event.ts'
import { decodeEvidence, encodeEvidence } from './evidence-codec.ts'
import { type Evidence, eventCount, type MutableEvidence, mutableCopy } from './evidence-state.ts'
import { bytesOfHex, hexOfBytes } from './hex.ts'
import type { Model } from './model.ts'
import { NO_PARTIES } from './parties.ts'
import type { SourceTotals } from './source.ts'
import { dayOf } from './time.ts'
import { sourceOf } from './vote.ts'

/** What is folded of it. */
interface Handover {
  readonly data: EventData
  /** Who recorded it: of a transfer the new owner. */
  readonly reporter: string
}

/** Changes the draft, which stands at the time of the handover. */
export function handOver(
  model: Model,
  draft: MutableEvidence,
  type: HandoverType,
  handover: Handover,
): void {
  const { data } = handover
  switch (type) {
    case 'agent.transferred':
      transfer(model, draft, handover)
      break
    case 'agent.succeeded':
      succeed(model, draft, data)
      break
    case 'agent.limited':
      limit(model, draft, data)
      break
    case 'reports.discarded':
      discard(model, draft, data)
  }
}

/** By its parent, whose score moves the limit; or by a worse agent of its owner, which tenure outgrows. */
function limit(model: Model, draft: MutableEvidence, { parentId, ceiling }: EventData): void {
  const most = ceiling ?? model.scoreMax
  if (parentId === undefined) {
    draft.ceiling = Math.min(draft.ceiling, most)
  } else {
    draft.parentCeiling = most
  }
}

/**
 * The agent is scored as if the platform, or its owner with all of its platforms, had no vote yet. What was reported
 * in a shared vote or by the crowd stays: what one of them reported cannot be taken out.
 */
function discard(
  model: Model,
  draft: MutableEvidence,
  { platformId, platformOwnerId }: EventData,
): void {
  draft.sources = draft.sources.filter(
    ({ voter }) => voter !== platformId && voter !== platformOwnerId,
  )
  // Tenure comes from days with good reports: what is left has not earned more than its good reports can.
  const good = draft.sources.reduce((sum, source) => sum + source.good, 0)
  const earned = Math.floor(model.tenurePerActiveDay * good)
  if (earned < tenureDays(model, draft, dayOf(draft.at))) {
    setTenure(model, draft, earned)
  }
}

/**
 * The new owner has no tenure, has carried nothing, and is not praised by platforms of its own. The ceiling
 * by a parent, which stays behind, becomes one that tenure raises.
 */
function transfer(
  model: Model,
  draft: MutableEvidence,
  { data: { ownerScore = model.scoreMax, ownPlatforms = [] }, reporter: owner }: Handover,
): void {
  keepTenure(model, draft, 0)
  draft.ceiling = Math.min(draft.ceiling, draft.parentCeiling, ownerScore)
  draft.parentCeiling = model.scoreMax
  draft.sources = draft.sources.map((source) => {
    const isOwn = source.voter === owner || ownPlatforms.includes(source.voter)
    const kept = isOwn ? withoutPraise(source) : source
    return sourceOf(
      model,
      { ...kept, carried: Math.min(kept.carried, model.carriedMin) },
      draft.activeDays,
    )
  })
}

/** A successor begins with all that was reported of its predecessor, and a part of its tenure. */
function succeed(model: Model, draft: MutableEvidence, { predecessorEvidence }: EventData): void {
  if (predecessorEvidence === undefined) {
    return
  }
  const left = decodeEvidence(model, bytesOfHex(predecessorEvidence))
  const inherited = mutableCopy(left)
  advanceTo(model, inherited, draft.at, true)
  keepTenure(model, inherited, model.successorTenureShare)
  const { registeredAt, initialCeiling, at, ceiling } = draft
  const { selfCount, handoverCount, identityCount } = draft
  Object.assign(draft, inherited, {
    registeredAt,
    initialCeiling,
    at: Math.max(at, inherited.at),
    ceiling: Math.min(inherited.ceiling, ceiling),
    carriedCount: eventCount(inherited),
    selfCount: inherited.selfCount + selfCount,
    handoverCount: inherited.handoverCount + handoverCount,
    identityCount: inherited.identityCount + identityCount,
  })
}

/** The evidence of a predecessor, as the event of its successor carries it. */
export function carriedEvidence(evidence: Evidence): string {
  return hexOfBytes(encodeEvidence(evidence))
}

/** Keeps a share of the tenure, and no credential: they were issued to the agent in its former hands. */
function keepTenure(model: Model, draft: MutableEvidence, share: number): void {
  setTenure(model, draft, Math.floor(share * tenureDays(model, draft, dayOf(draft.at))))
  draft.verified = 0
  draft.claimed = 0
}

function setTenure(model: Model, draft: MutableEvidence, days: number): void {
  draft.firstDay = days > 0 ? dayOf(draft.at) - days : -1
  draft.formerDays = draft.activeDays - Math.ceil(days / model.tenurePerActiveDay)
  draft.activeToday = 0
}

function withoutPraise(source: SourceTotals): SourceTotals {
  const nothing = { reliabilityGood: 0, financialGood: 0, positiveWeightMax: 0, dealGood: 0 }
  return {
    ...source,
    ...nothing,
    classes: NO_CLASSES,
    parties: NO_PARTIES,
    unnamedCount: 0,
    cover: 0,
  }
}
