import { time } from '../api/wire.ts'
import type { RecordedEvent } from '../domain/agent.ts'
import { mainReporter } from '../domain/attribution.ts'
import { contributionsOf, shownMove } from '../domain/contributions.ts'
import { MODEL } from '../domain/model.ts'
import { REASONS, reasonsOf } from '../domain/reasons.ts'
import { scoreAt } from '../domain/score.ts'
import {
  errorBudget,
  type Hypothetical,
  nextTier,
  scoreAfter,
  type WhatIf,
} from '../domain/what-if.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'
import { type Questions, type ReplayedAttribution, replayAttribution } from './attribution.ts'

/** The explanations asked for lately: the next one who asks costs no reading of the log. */
export interface Explanations {
  explain(agentState: AgentState, at: number): Promise<Explanation>
  since(agentState: AgentState, at: number, snapshot: Snapshot): Promise<SinceAnswer>
  without(agentState: AgentState, at: number, event: RecordedEvent): Promise<WithoutAnswer>
}

export type Explanation = ReturnType<typeof present>
type SinceAnswer = ReturnType<typeof presentSince>
type WithoutAnswer = ReturnType<typeof presentWithout>

/** At some 5 KB each this is a few megabytes; the oldest give way. */
const REMEMBERED_MAX = 1_000

/** Asked of every explanation: a few more good ones, and one more failure. */
export const SUPPOSED_ALWAYS: readonly Hypothetical[] = [
  { type: 'task.completed', count: 10 },
  { type: 'payment.completed', count: 10 },
  { type: 'credential.issued', count: 1 },
  { type: 'task.failed', count: 1 },
]

const DAY_MS = 86_400_000

/** Whoever reports an event that is only supposed, where no platform was heard before. */
const SOME_PLATFORM = 'a platform'

export function createExplanations(store: Store, refolds: Semaphore): Explanations {
  const remembered = createBoundedMap<string, { tag: string; explanation: Explanation }>(
    REMEMBERED_MAX,
  )
  const account = (agentState: AgentState, at: number, questions: Partial<Questions> = {}) =>
    refolds.run(() =>
      replayAttribution(store, agentState, at, { since: null, without: null, ...questions }),
    )
  return {
    async explain(agentState, at) {
      const tag = explanationTag(agentState, at)
      const known = remembered.get(agentState.agentId)
      if (known?.tag === tag) {
        return known.explanation
      }
      const explanation = present(agentState, at, await account(agentState, at))
      remembered.set(agentState.agentId, { tag, explanation })
      return explanation
    },
    async since(agentState, at, snapshot) {
      return presentSince(
        agentState,
        at,
        snapshot,
        await account(agentState, at, { since: snapshot }),
      )
    },
    async without(agentState, at, event) {
      return presentWithout(
        agentState,
        at,
        event,
        await account(agentState, at, { without: event }),
      )
    },
  }
}

/** All that an explanation is made of: the log as it was read, and the day. */
function explanationTag(
  { seq, quarantinedCount: quarantined, updatedAt }: AgentState,
  at: number,
): string {
  return [seq, quarantined, updatedAt, Math.floor(at / DAY_MS)].join('-')
}

function present(agentState: AgentState, at: number, { whole }: ReplayedAttribution) {
  const { agentId, evidence, quarantinedCount: quarantined, status } = agentState
  const { score, classification, modelVersion, confidence } = scoreAt(MODEL, evidence, at)
  const contributions = contributionsOf(whole, Math.round(whole.start), score)
  const { reporters, ...anyones } = contributions
  const outlook: WhatIf = { evidence, at, reporter: mainReporter(whole) ?? SOME_PLATFORM }
  const reasons = reasonsOf({ ledger: whole, contributions, at, quarantined })
  return {
    /** For everyone. */
    shown: {
      agentId,
      score,
      classification,
      confidence,
      status,
      contributions: anyones,
      reasons: reasons.map((code) => ({ code, ...REASONS[code] })),
      nextTier: nextTier(MODEL, outlook),
      errorBudget: errorBudget(MODEL, outlook),
      modelVersion,
      computedAt: time(at),
    },
    /** For those who may read all. */
    reporters,
    events: { up: whole.up.map(presentMove), down: whole.down.map(presentMove) },
    outlook,
  }
}

function presentMove(move: ReplayedAttribution['whole']['up'][number]) {
  const { at, ...rest } = shownMove(move)
  return { ...rest, createdAt: time(at) }
}

/** What the score would be after more events, all of them now. */
export function presentAfter({ shown, outlook }: Explanation, asked: readonly Hypothetical[]) {
  return asked.map(({ type, count }) => {
    const score = scoreAfter(MODEL, outlook, { type, count })
    return { type, count, score, difference: score - shown.score }
  })
}

function presentSince(
  agentState: AgentState,
  at: number,
  snapshot: Snapshot,
  { since }: ReplayedAttribution,
) {
  if (!since) {
    throw new Error('an account since a snapshot was asked for and not made')
  }
  const { score } = scoreAt(MODEL, agentState.evidence, at)
  const { reporters, start: _from, ...rest } = contributionsOf(since, snapshot.score, score)
  const { id, createdAt } = snapshot
  return {
    shown: {
      snapshot: { id, score: snapshot.score, createdAt: time(createdAt) },
      difference: score - snapshot.score,
      contributions: rest,
    },
    reporters,
    events: { up: since.up.map(presentMove), down: since.down.map(presentMove) },
  }
}

function presentWithout(
  agentState: AgentState,
  at: number,
  event: RecordedEvent,
  account: ReplayedAttribution,
) {
  const evidence = account.without ?? agentState.evidence
  const score = scoreAt(MODEL, evidence, at).score
  const now = Math.round(account.whole.whole)
  return { eventId: event.id, counts: !event.isQuarantined, score, difference: score - now }
}
