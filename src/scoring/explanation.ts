import type { RecordedEvent } from '../domain/agent.ts'
import { type Attribution, mainReporter, type ScoreChange } from '../domain/attribution.ts'
import { contributionsOf } from '../domain/contributions.ts'
import { MODEL } from '../domain/model.ts'
import { reasonsOf } from '../domain/reasons.ts'
import { scoreAt } from '../domain/score.ts'
import { DAY_MS } from '../domain/time.ts'
import {
  errorBudget,
  type Hypothetical,
  nextTier,
  scoreAfter,
  type WhatIf,
} from '../domain/what-if.ts'
import { REPORTER_WEIGHTS } from '../fraud/establishment.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'
import { type Questions, type ReplayedAttribution, replayAttribution } from './attribution.ts'

/** Explains scores. The latest explanations are cached: a repeated request replays no log. */
export interface Explanations {
  explain(agentState: AgentState, at: number): Promise<Explanation>
  since(agentState: AgentState, at: number, snapshot: Snapshot): Promise<ChangeSince>
  without(agentState: AgentState, at: number, event: RecordedEvent): Promise<ScoreWithout>
}

export type Explanation = ReturnType<typeof explanationOf>
export type ChangeSince = ReturnType<typeof changeSince>
export type ScoreWithout = ReturnType<typeof scoreWithout>

/** At some 5 KB each this is a few megabytes; the oldest are dropped. */
const KEPT_MAX = 1_000

/** Part of every explanation: a few more good events of each kind, and one more failure. */
export const HYPOTHETICAL_DEFAULT: readonly Hypothetical[] = [
  { type: 'task.completed', count: 10 },
  { type: 'payment.completed', count: 10 },
  { type: 'credential.issued', count: 1 },
  { type: 'task.failed', count: 1 },
]

/** The reporter of hypothetical events while no platform has reported yet. */
const SOME_PLATFORM = 'a platform'

export function createExplanations(store: Store, replays: Semaphore): Explanations {
  const kept = createBoundedMap<string, { tag: string; explanation: Explanation }>(KEPT_MAX)
  const attribute = (agentState: AgentState, at: number, questions: Partial<Questions> = {}) =>
    replays.run(() =>
      replayAttribution(store, agentState, at, { since: null, without: null, ...questions }),
    )
  return {
    async explain(agentState, at) {
      const tag = tagOf(agentState, at)
      const known = kept.get(agentState.agentId)
      if (known?.tag === tag) {
        return known.explanation
      }
      const explanation = explanationOf(agentState, at, await attribute(agentState, at))
      kept.set(agentState.agentId, { tag, explanation })
      return explanation
    },
    async since(agentState, at, snapshot) {
      const { since } = await attribute(agentState, at, { since: snapshot })
      return changeSince(agentState, at, snapshot, since)
    },
    async without(agentState, at, event) {
      return scoreWithout(
        agentState,
        at,
        event,
        await attribute(agentState, at, { without: event }),
      )
    },
  }
}

/** All that an explanation depends on: the log as it was read, and the day. */
function tagOf({ seq, quarantinedCount, updatedAt }: AgentState, at: number): string {
  return [seq, quarantinedCount, updatedAt, Math.floor(at / DAY_MS)].join('-')
}

function explanationOf(agentState: AgentState, at: number, { whole }: ReplayedAttribution) {
  const { agentId, evidence, quarantinedCount: quarantined, status } = agentState
  const score = scoreAt(MODEL, evidence, at)
  const contributions = contributionsOf(whole, Math.round(whole.start), score.score)
  const reporter = mainReporter(whole) ?? SOME_PLATFORM
  const whatIf: WhatIf = { evidence, at, reporter, reporterWeight: weightOf(whole, reporter) }
  return {
    agentId,
    status,
    at,
    score,
    contributions,
    reasons: reasonsOf({
      ledger: whole,
      contributions,
      at,
      quarantined,
      isDisputed: score.disputed.isDisputed,
    }),
    nextTier: nextTier(MODEL, whatIf),
    errorBudget: errorBudget(MODEL, whatIf),
    strongest: strongestOf(whole),
    whatIf,
  }
}

/** The weight of the reporter's latest report; that of an established platform if there is none. */
function weightOf({ reporters }: Attribution, reporter: string): number {
  return reporters.get(reporter)?.weight ?? REPORTER_WEIGHTS.established
}

export interface Strongest {
  readonly up: readonly ScoreChange[]
  readonly down: readonly ScoreChange[]
}

function strongestOf({ up, down }: Attribution): Strongest {
  return { up, down }
}

/** What the score would be after more events, all of them now. */
export function scoresAfter({ score, whatIf }: Explanation, asked: readonly Hypothetical[]) {
  return asked.map(({ type, count }) => {
    const after = scoreAfter(MODEL, whatIf, { type, count })
    return { type, count, score: after, difference: after - score.score }
  })
}

function changeSince(
  { evidence }: AgentState,
  at: number,
  snapshot: Snapshot,
  since: Attribution | null,
) {
  if (!since) {
    throw new Error('an attribution since a snapshot was asked for and not made')
  }
  const { score } = scoreAt(MODEL, evidence, at)
  return {
    snapshot,
    difference: score - snapshot.score,
    contributions: contributionsOf(since, snapshot.score, score),
    strongest: strongestOf(since),
  }
}

function scoreWithout(
  agentState: AgentState,
  at: number,
  event: RecordedEvent,
  { whole, without }: ReplayedAttribution,
) {
  const { score } = scoreAt(MODEL, without ?? agentState.evidence, at)
  const difference = score - Math.round(whole.whole)
  return { eventId: event.id, counts: !event.isQuarantined, score, difference }
}
