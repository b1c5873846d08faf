/** What is remembered of an agent: a few sums, however long its history. */

import { copyOfClass } from './class-trust.ts'
import { type Model, SCORE_MAX } from './model.ts'
import { copyOfCounts, NO_OUTCOMES, type OutcomeCounts } from './outcome-counts.ts'
import { copyOfSource, NO_TOTALS, type Source } from './source.ts'
import { hasReports } from './sums.ts'
import { sourceOf } from './vote.ts'

/** Counts of what platforms reported, for the forecast. */
export interface Outcomes {
  readonly tasks: OutcomeCounts
  /** Uptime and errors: they stand in where no task is reported. */
  readonly upkeep: OutcomeCounts
  readonly payments: OutcomeCounts
}

export interface Evidence {
  readonly registeredAt: number
  readonly initialCeiling: number
  /** Milliseconds since 1970 of the last event, or of registration. */
  readonly at: number
  readonly reliabilityCount: number
  readonly financialCount: number
  readonly identityCount: number
  /** How many of them were of the agents that it replaced: they are in the chains of those. */
  readonly carriedCount: number
  /** How many of them were imported as a past. */
  readonly importedCount: number
  /** How many of them the agent's own side reported. */
  readonly selfCount: number
  /** How many of them the service itself recorded. */
  readonly handoverCount: number
  /** Day (since 1970) of the first good report of a platform; −1 before. */
  readonly firstDay: number
  /** Days with such a report that are over, and whether today is one. */
  readonly activeDays: number
  readonly activeToday: number
  /** How many of the active days were before the agent changed hands: they earn no tenure. */
  readonly formerDays: number
  /** The most the agent may score by its owner's other agents, before tenure raises it. */
  readonly ceiling: number
  /** The most the agent may score by its parent, whatever its tenure. */
  readonly parentCeiling: number
  /** All reporters without a vote of their own together, and the agent's own side. */
  readonly crowd: Source
  readonly self: Source
  /** Reporters with a vote of their own, in the order of their first report. */
  readonly sources: readonly Source[]
  /** Credentials issued by platforms, and by the owner; revocations by either. */
  readonly verified: number
  readonly claimed: number
  readonly revoked: number
  readonly withdrawn: number
  readonly outcomeCounts: Outcomes
}

/** The form that folding writes to; all other code has Evidence. */
export type MutableEvidence = { -readonly [K in keyof Evidence]: Evidence[K] }

/**
 * Evidence of an agent registered at a time (milliseconds since 1970), of which nothing is known.
 * `initialCeiling` is the score of a worse agent of the same owner: it starts no higher.
 */
export function newEvidence(
  model: Model,
  registeredAt: number,
  initialCeiling: number = SCORE_MAX,
): Evidence {
  const nothing = unreported(model)
  return {
    registeredAt,
    initialCeiling,
    at: registeredAt,
    reliabilityCount: 0,
    financialCount: 0,
    identityCount: 0,
    carriedCount: 0,
    importedCount: 0,
    selfCount: 0,
    handoverCount: 0,
    firstDay: -1,
    activeDays: 0,
    activeToday: 0,
    formerDays: 0,
    ceiling: initialCeiling,
    parentCeiling: SCORE_MAX,
    crowd: nothing,
    self: nothing,
    sources: [],
    verified: 0,
    claimed: 0,
    revoked: 0,
    withdrawn: 0,
    outcomeCounts: noOutcomes(),
  }
}

/** Counts of nothing, to be written to. */
export function noOutcomes(): Outcomes {
  return {
    tasks: copyOfCounts(NO_OUTCOMES),
    upkeep: copyOfCounts(NO_OUTCOMES),
    payments: copyOfCounts(NO_OUTCOMES),
  }
}

let nothingOf: { readonly model: Model; readonly source: Source } | null = null

/** A reporter without reports: one object for all agents, as long as the model is the same. */
function unreported(model: Model): Source {
  if (nothingOf?.model !== model) {
    nothingOf = { model, source: sourceOf(model, NO_TOTALS, 0) }
  }
  return nothingOf.source
}

/** Events that the evidence is made of. */
export function eventCount({
  reliabilityCount,
  financialCount,
  identityCount,
}: Pick<Evidence, 'reliabilityCount' | 'financialCount' | 'identityCount'>): number {
  return reliabilityCount + financialCount + identityCount
}

/** Those of them that are in the agent's own chain. */
export function chainLength(evidence: Evidence): number {
  return eventCount(evidence) - evidence.carriedCount
}

/** A copy that may be written to. Spelt out, because spreading is several times slower. */
export function mutableCopy(evidence: Evidence): MutableEvidence {
  return {
    registeredAt: evidence.registeredAt,
    initialCeiling: evidence.initialCeiling,
    at: evidence.at,
    reliabilityCount: evidence.reliabilityCount,
    financialCount: evidence.financialCount,
    identityCount: evidence.identityCount,
    carriedCount: evidence.carriedCount,
    importedCount: evidence.importedCount,
    selfCount: evidence.selfCount,
    handoverCount: evidence.handoverCount,
    firstDay: evidence.firstDay,
    activeDays: evidence.activeDays,
    activeToday: evidence.activeToday,
    formerDays: evidence.formerDays,
    ceiling: evidence.ceiling,
    parentCeiling: evidence.parentCeiling,
    crowd: evidence.crowd,
    self: evidence.self,
    sources: evidence.sources,
    verified: evidence.verified,
    claimed: evidence.claimed,
    revoked: evidence.revoked,
    withdrawn: evidence.withdrawn,
    outcomeCounts: evidence.outcomeCounts,
  }
}

/** A copy to which nothing else refers, so that its reporters may be written to as well. */
export function ownedCopy(evidence: Evidence): MutableEvidence {
  const draft = mutableCopy(evidence)
  draft.crowd = ownedIfReported(evidence.crowd)
  draft.self = ownedIfReported(evidence.self)
  draft.sources = evidence.sources.map(ownedSource)
  const { tasks, upkeep, payments } = evidence.outcomeCounts
  draft.outcomeCounts = {
    tasks: copyOfCounts(tasks),
    upkeep: copyOfCounts(upkeep),
    payments: copyOfCounts(payments),
  }
  return draft
}

/**
 * One without reports stays shared, and is copied with its first report: most agents have no crowd. Uptime at which
 * nothing is observed is no such report, but the next day changes how often it was measured.
 */
function ownedIfReported(source: Source): Source {
  return hasReports(source) || source.uptimes > 0 ? ownedSource(source) : source
}

function ownedSource(source: Source): Source {
  const copy = copyOfSource(source)
  if (source.classes.length > 0) {
    copy.classes = source.classes.map(copyOfClass)
  }
  if (source.parties.length > 0) {
    copy.parties = source.parties.slice()
  }
  return copy
}
