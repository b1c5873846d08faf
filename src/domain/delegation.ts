/**
 * Agents that act for another agent of the same owner. A child gains nothing from its parent: the parent
 * limits it, and bad reports about the child count for the parent as well.
 */

import type { AgentStatus, RecordedEvent } from './agent.ts'
import { CEILING_STEP, ceilingBy } from './ceiling.ts'
import { type ChildType, type EventData, isReported, LOG_TYPES } from './event.ts'
import { observationOf } from './event-weight.ts'
import type { Evidence } from './evidence-state.ts'
import { clamp } from './math.ts'
import type { Model } from './model.ts'
import { placeOf } from './places.ts'
import type { Source } from './source.ts'
import { NEW_AGENT_SCORE } from './tiers.ts'

/** Agents above an agent: enough for an orchestrator, its team and their helpers. */
export const ANCESTORS_MAX = 3

/** Children in use of one agent: a parent whose score moves writes one event to each. */
export const CHILDREN_MAX = 100

/** A ceiling rises when there is room for two steps, so that a score at the edge of one moves it once. */
const RISE = 2 * CEILING_STEP

/** What a child may score at most by the score and the status of its parent. */
export function childCeiling(score: number, status: AgentStatus): number {
  const most = ceilingBy(score)
  // While its parent is suspended a child scores no more than an agent of which nothing is known.
  return status === 'suspended' ? Math.min(NEW_AGENT_SCORE, most) : most
}

/** The ceiling of a child from now on: lowered at once, raised where that is worth an event. */
export function nextCeiling(before: number, score: number, status: AgentStatus): number {
  const most = childCeiling(score, status)
  return most < before || most >= before + RISE ? most : before
}

/** Whether a parent whose score moved so limits its children again. */
export function movesCeiling(from: number, to: number): boolean {
  return childCeiling(from, 'active') !== childCeiling(to, 'active')
}

/** Good reports that a platform is presumed to have of a child. Measured: twenty honest children cost a Good
 *  parent a few points, and fifty for a day; twenty that cheat once each cost it ninety. */
const PRESUMED_GOOD = 9

/** Below this share a report is left out: every complaint that is recorded makes earlier ones fresh. */
const SHARE_MIN = 0.25

/** A bad report of a child as its parents' logs have it. */
export interface ChildReport
  extends Pick<RecordedEvent, 'reporter' | 'voter' | 'reporterWeight' | 'hardness'> {
  readonly type: ChildType
  readonly data: EventData
  /** How much of it counts, 0 to 1. */
  readonly share: number
  /** The vote of the platform about the child after the event; not in tasks of an earlier release. */
  readonly childVote?: number | undefined
}

/**
 * How much of a child's report counts for an agent above it: nothing where the platform, by what it reported, finds that
 * agent no better than the child. Otherwise an agent whose children do a fifth of their work badly would have less trust
 * than one that does the same work itself, since what its children do well does not count for it.
 */
export function shareForParent(
  model: Model,
  { sources }: Evidence,
  { reporter, voter, reporterWeight, share, childVote = 0 }: ParentsReport,
): number {
  const place = placeOf(model, sources, voter ?? reporter.id, reporterWeight)
  const known = place === null ? undefined : sources[place]
  return known && known.good > 0 && known.vote <= childVote ? 0 : share
}

type ParentsReport = Pick<
  ChildReport,
  'reporter' | 'voter' | 'reporterWeight' | 'share' | 'childVote'
>

/**
 * What an event of a child says of its parents, with the child's evidence after the event; null for what says
 * nothing. It counts as far as its platform denies that the child is good: an agent that works well and fails
 * now and then costs its parent nothing.
 */
export function childReport(
  model: Model,
  { crowd, sources }: Evidence,
  event: RecordedEvent,
): ChildReport | null {
  const { id, agentId, type, data, reporter, voter, self } = event
  const { reporterWeight, share, hardness } = event
  const { dimension } = LOG_TYPES[type]
  if (self || !isReported(type) || dimension === 'identity') {
    return null
  }
  const observation = observationOf(model, type, data)
  const voting = voter ?? reporter.id
  const own = sources.find((source) => source.voter === voting)
  const place = placeOf(model, sources, voting, reporterWeight)
  const found = own ?? (place === null ? crowd : (sources[place] ?? crowd))
  const counted = share * badShare(model, found)
  if (observation >= 0 || counted === 0) {
    return null
  }
  const { amount, currency, counterparty } = data
  const names = { childId: agentId, childEventId: id, childEventType: type, observation }
  return {
    type: dimension === 'financial' ? 'child.payment_failed' : 'child.work_failed',
    data: { ...names, amount, currency, counterparty },
    reporter,
    voter,
    reporterWeight,
    share: counted,
    childVote: found.vote,
    hardness,
  }
}

/**
 * How far a platform finds an agent bad: 1 where it fully denies that the agent is good, 0 where it does not.
 * The odds of its vote are those of an agent with some good reports more: few reports say little.
 */
function badShare(model: Model, { vote, reliabilityGood, financialGood }: Source): number {
  const good = 1 + reliabilityGood + financialGood
  const odds = (1 / vote - 1) * (good / (good + PRESUMED_GOOD))
  const denied = model.deniedBelow - 1 / (1 + odds)
  const share = clamp(denied / (model.deniedBelow - model.deniedFully), 0, 1)
  return share < SHARE_MIN ? 0 : share
}
