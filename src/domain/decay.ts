/** The decay of evidence over whole days. Within a day nothing decays. */

import { fadedClasses } from './class-trust.ts'
import { type Evidence, type MutableEvidence, mutableCopy } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'
import { fadeParties, partiesToWrite } from './parties.ts'
import { copyOfSource, type MutableSource, type Source } from './source.ts'
import { hasReports, NO_SUMS, scaledSums, single, weightOfMoney, weightOfWork } from './sums.ts'
import { dayOf } from './time.ts'
import { settle } from './vote.ts'

/** The evidence at a later time. */
export function decayedTo(model: Model, evidence: Evidence, at: number): Evidence {
  if (!(at > evidence.at) || dayOf(at) === dayOf(evidence.at)) {
    return evidence
  }
  const draft = mutableCopy(evidence)
  advanceTo(model, draft, at, false)
  return draft
}

/**
 * Moves the draft to a time. Earlier than its own it stays: what is received later is later. Its
 * reporters are written to where nothing else refers to them (`isOwned`), and replaced otherwise.
 */
export function advanceTo(
  model: Model,
  draft: MutableEvidence,
  at: number,
  isOwned: boolean,
): void {
  if (!(at > draft.at)) {
    return
  }
  const days = dayOf(at) - dayOf(draft.at)
  draft.at = at
  if (days === 0) {
    return
  }
  const kept = exp2(-days / model.halfLifeDays)
  const activeDays = draft.activeDays + draft.activeToday
  draft.activeDays = activeDays
  draft.activeToday = 0
  if (!isOwned) {
    draft.crowd = copyOfSource(draft.crowd)
    draft.self = copyOfSource(draft.self)
    draft.sources = copiesOf(draft.sources)
  }
  // All of them are the draft's own now.
  decay(model, draft.crowd as MutableSource, kept, activeDays, isOwned)
  decay(model, draft.self as MutableSource, kept, activeDays, isOwned)
  for (let i = 0; i < draft.sources.length; i++) {
    decay(model, draft.sources[i] as MutableSource, kept, activeDays, isOwned)
  }
  draft.verified *= kept
  draft.claimed *= kept
  draft.revoked *= kept
  draft.withdrawn *= kept
}

function copiesOf(sources: readonly Source[]): MutableSource[] {
  const copies: MutableSource[] = new Array(sources.length)
  for (let i = 0; i < sources.length; i++) {
    copies[i] = copyOfSource(sources[i] as Source)
  }
  return copies
}

/** Moves totals to a later day: totals above their maximum are scaled to it, and all decay. */
function decay(
  model: Model,
  source: MutableSource,
  kept: number,
  activeDays: number,
  isOwned: boolean,
): void {
  if (source.uptimes > 0) {
    source.uptimesBefore = Math.max(source.uptimes, source.uptimesBefore >> 1)
    source.uptimes = 0
  }
  if (!hasReports(source)) {
    // Nothing to decay: most agents have no report by the crowd, or none by their own side.
    return
  }
  const work = kept * capFactor(model, weightOfWork(source))
  const money = kept * capFactor(model, weightOfMoney(source))
  source.reliabilityGood = single(source.reliabilityGood * work)
  source.reliabilityBad = single(source.reliabilityBad * work)
  source.financialGood = single(source.financialGood * money)
  source.financialBad = single(source.financialBad * money)
  source.dealBad = single(source.dealBad * kept)
  if (source.latest !== NO_SUMS) {
    source.latest = scaledSums(source.latest, work, money)
  }
  source.classes = fadedClasses(source.classes, work, isOwned)
  if (activeDays - source.complaintDay > model.complaintFreshDays) {
    // Otherwise a platform that left after a bad report would be in a run forever.
    source.run = 0
  }
  if (source.parties.length > 0) {
    const parties = partiesToWrite(source.parties, isOwned)
    fadeParties(parties, work, money)
    source.parties = parties
  }
  settle(model, source, activeDays)
}

function capFactor(model: Model, weight: number): number {
  return weight > model.massMax ? model.massMax / weight : 1
}

/** Days of tenure: of those gone by, no more than the days with good reports earn. */
export function tenureDays(
  model: Model,
  { firstDay, activeDays, formerDays }: Evidence,
  today: number,
): number {
  const earned = model.tenurePerActiveDay * (activeDays - formerDays)
  return firstDay < 0 ? 0 : Math.min(today - firstDay, earned)
}
