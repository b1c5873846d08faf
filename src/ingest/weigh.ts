/** What is learnt from a report, and the weight of the report: recorded with the event. */
import { LOG_TYPES } from '../domain/event.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import type { Model } from '../domain/model.ts'
import { indexOfVote } from '../domain/places.ts'
import { dayOf } from '../domain/time.ts'
import { addComparison, isComparable, isCompared } from '../fraud/comparison.ts'
import { hasEndorsement } from '../fraud/endorsements.ts'
import {
  isEstablished,
  isProven,
  REPORTER_WEIGHTS,
  reporterWeight,
  reportsOnlyProblems,
} from '../fraud/establishment.ts'
import { otherReporters } from '../fraud/other-reporters.ts'
import { type KnownReporter, knownReporter } from '../fraud/profile.ts'
import {
  addCounted,
  addReport,
  type MutableReporterStats,
  type ReporterStats,
} from '../fraud/reporter-stats.ts'
import type { InspectedEvent } from '../fraud/rule.ts'
import { type AgentWork, hardnessOf, workKindOf } from '../fraud/work-stats.ts'
import type { AgentState } from '../store/store.ts'
import {
  type BatchState,
  endorse,
  knownWorkIn,
  learnOutcome,
  ownReporterStats,
  reporterStatsIn,
} from './batch-state.ts'
import type { Report } from './report.ts'

export interface Weighed {
  readonly voter: string | null
  readonly reporterWeight: number
  readonly hardness: number
}

/** A report that is weighed, and what it is weighed by. */
export interface Weighing {
  readonly state: BatchState
  readonly model: Model
  readonly report: Report
  readonly event: InspectedEvent
  /** The evidence of the agent is that before the event, its behaviour profile that after it. */
  readonly agentState: AgentState
}

/** Adds the report to the statistics of its platform and of its kind of work, and weighs it. */
export function weigh(weighing: Weighing, isQuarantined: boolean): Weighed {
  const { state, model, report, event, agentState } = weighing
  if (report.reporter.kind !== 'platform') {
    return byItsOwnSide(model)
  }
  const stats = ownReporterStats(state, report.reporter.id)
  const wasEstablished = isEstablished(stats, report.reporterVerified)
  const known = knownReporter(agentState.profile, report.reporter.id)
  const today = known?.day === dayOf(event.at) ? known.today : null
  addReport(stats, { today, isQuarantined })
  if (event.self) {
    return byItsOwnSide(model)
  }
  if (!isQuarantined) {
    addToRecord(weighing, stats, known)
  }
  // Whether another platform of its owner is established, and which no longer is, is read with the next batch.
  const isNew = !wasEstablished && isEstablished(stats, report.reporterVerified)
  if (isNew && report.reporterOwnerId === null) {
    state.establishedPlatforms += 1
  }
  const weight = isPutAside(weighing, stats) ? REPORTER_WEIGHTS.other : weightNow(state, report)
  const isTeaching = !isQuarantined && weight >= model.ownVoteWeightMin
  const voter = report.reporterOwnerId
  return { voter, reporterWeight: weight, hardness: learn(weighing, isTeaching) }
}

/**
 * Whether an outcome is put aside because its platform reports only problems. It is not where the platform's vote has
 * good reports about the agent, by another platform of its owner: then the two are one reporter.
 */
function isPutAside({ report, event, agentState }: Weighing, stats: ReporterStats): boolean {
  if (LOG_TYPES[event.type].dimension === 'identity' || !reportsOnlyProblems(stats)) {
    return false
  }
  const { reporterOwnerId: owner } = report
  const { sources } = agentState.evidence
  return owner === null || !sources.some(({ voter, good }) => voter === owner && good > 0)
}

/** What a platform's report weighs by what is known of the platform now, unless it is put aside. */
export function weightNow(state: BatchState, { reporter, reporterVerified }: Report): number {
  const stats = reporterStatsIn(state, reporter.id)
  return reporterWeight(reporterVerified || isProven(stats), stats, state.establishedPlatforms)
}

function byItsOwnSide({ selfWeight }: Model): Weighed {
  return { voter: null, reporterWeight: selfWeight, hardness: 0 }
}

/** Adds a report that counts to the record of its platform, of which the agent's behaviour profile knows so much. */
function addToRecord(
  weighing: Weighing,
  stats: MutableReporterStats,
  known: KnownReporter | null,
): void {
  const { type, at } = weighing.event
  if (LOG_TYPES[type].dimension !== 'identity') {
    addCounted(stats, dayOf(at))
  }
  if (isComparable(type)) {
    compare(weighing, stats, isFirstOfDay(weighing, known))
  }
}

/**
 * Whether a comparable report is its platform's first of the day about the agent: by the behaviour profile or, where that
 * lists the platform together with others, by the platform's vote. Each report of one without a vote there is a first.
 */
function isFirstOfDay(
  { report, event, agentState }: Weighing,
  known: KnownReporter | null,
): boolean {
  const day = dayOf(event.at)
  if (known) {
    return known.day === day && known.comparableToday === 1
  }
  const { sources } = agentState.evidence
  const vote = sources[indexOfVote(sources, report.reporterOwnerId ?? report.reporter.id)]
  return vote === undefined || dayOf(1000 * vote.reportedAt) < day
}

/** Compares a report with what other reporters say of the agent. */
function compare(
  { state, model, report, event, agentState }: Weighing,
  stats: MutableReporterStats,
  isFirstOfDay: boolean,
): void {
  const { reporter, reporterOwnerId } = report
  const { impact, ownerId, at } = event
  const day = dayOf(at)
  const isReciprocal = reporterOwnerId !== null && endorseBack(state, reporterOwnerId, ownerId)
  const others =
    !isReciprocal && isCompared(stats, ownerId, day)
      ? otherReporters(model, agentState.evidence, {
          platform: reporter.id,
          voter: reporterOwnerId,
        })
      : null
  const isGood = impact === 'positive'
  addComparison(model, stats, { owner: ownerId, day, isGood, isFirstOfDay, others })
}

/** Notes who reports on whose agents; true where the agent's owner reports on the reporter's. */
function endorseBack(state: BatchState, fromOwner: string, toOwner: string): boolean {
  endorse(state, { fromOwner, toOwner })
  return hasEndorsement(state.endorsements, { fromOwner: toOwner, toOwner: fromOwner })
}

/** How hard the work was known to be; a task that counts then adds to what is known. */
function learn({ state, model, event, agentState }: Weighing, isTeaching: boolean): number {
  const { type, data, reporter, ownerId, impact } = event
  const kind = LOG_TYPES[type].data === 'task' ? workKindOf(reporter.id, data) : null
  if (kind === null) {
    return 0
  }
  const known = knownWorkIn(state, kind)
  const agent = workOf(agentState.evidence)
  const hardness = hardnessOf(model, known, agent)
  if (isTeaching) {
    learnOutcome(state, kind, known, { owner: ownerId, isGood: impact === 'positive', ...agent })
  }
  return hardness
}

/** Tasks that only platforms without a vote reported make no agent known. */
function workOf({ sources, outcomeCounts: { tasks } }: Evidence): AgentWork {
  let agentGood = 0
  let agentBad = 0
  for (const { reliabilityGood, reliabilityBad } of sources) {
    agentGood += reliabilityGood
    agentBad += reliabilityBad
  }
  return { agentGood, agentBad, agentTasks: sources.length > 0 ? tasks.good + tasks.bad : 0 }
}
