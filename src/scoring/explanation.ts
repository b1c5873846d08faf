import type { RecordedEvent } from '../domain/agent.ts'
import { type Attribution, mainReporter } from '../domain/attribution.ts'
import { accountNameOf } from '../domain/caller.ts'
import { contributionsOf } from '../domain/contributions.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import { MODEL } from '../domain/model.ts'
import { reasonsOf } from '../domain/reasons.ts'
import { scoreAt } from '../domain/score.ts'
import { dayOf } from '../domain/time.ts'
import {
  errorBudget,
  type Hypothetical,
  nextTier,
  scoreAfter,
  type WhatIf,
} from '../domain/what-if.ts'
import { sharesOfNewTypes } from '../fraud/credential-types.ts'
import { REPORTER_WEIGHTS } from '../fraud/establishment.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'
import {
  type AttributedLog,
  type AttributedScore,
  attributeScore,
  attributeSince,
} from './attribution.ts'
import type { BackgroundFolds } from './background-folds.ts'
import type { Asker, Replays } from './replays.ts'
import { createScoresWithout } from './score-without.ts'

/** Explains scores. The latest explanations are cached: a repeated request replays no log. */
export interface Explanations {
  explain(asker: Asker, agentState: AgentState, at: number): Promise<Explanation>
  since(asker: Asker, agentState: AgentState, at: number, snapshot: Snapshot): Promise<ChangeSince>
  without(
    asker: Asker,
    agentState: AgentState,
    at: number,
    event: RecordedEvent,
  ): Promise<ScoreWithout>
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
const SOME_PLATFORM = { id: 'a platform', voter: null, weight: REPORTER_WEIGHTS.established }

export function createExplanations(
  store: Store,
  replays: Replays,
  folds: BackgroundFolds,
): Explanations {
  const scoresWithout = createScoresWithout(store, folds)
  const kept = createBoundedMap<string, { tag: string; explanation: Explanation }>(KEPT_MAX)
  const inTurn = <T>(
    asker: Asker,
    agentState: AgentState,
    work: (log: AttributedLog) => Promise<T>,
  ) => replays.run(asker, (signal) => work({ store, agentState, signal }))
  return {
    async explain(asker, agentState, at) {
      const tag = tagOf(agentState, at)
      const known = kept.get(agentState.agentId)
      if (known?.tag === tag) {
        return known.explanation
      }
      const attributed = await inTurn(asker, agentState, (log) => attributeScore(log, at))
      const explanation = explanationOf(agentState, at, attributed)
      kept.set(agentState.agentId, { tag, explanation })
      return explanation
    },
    async since(asker, agentState, at, snapshot) {
      const since = await inTurn(asker, agentState, (log) => attributeSince(log, at, snapshot))
      return changeSince(agentState, at, snapshot, since)
    },
    async without(asker, agentState, at, event) {
      const account = accountNameOf(asker.caller)
      const evidence = await inTurn(asker, agentState, ({ signal }) =>
        scoresWithout.evidenceWithout(agentState, event, { account, signal }),
      )
      return scoreWithout(agentState, at, event, evidence)
    },
  }
}

/** All that an explanation depends on: the log as it was read, and the day. */
function tagOf({ seq, quarantinedCount, updatedAt }: AgentState, at: number): string {
  return [seq, quarantinedCount, updatedAt, dayOf(at)].join('-')
}

function explanationOf(agentState: AgentState, at: number, { whole, recentLoss }: AttributedScore) {
  const { agentId, evidence, quarantinedCount: quarantined, status } = agentState
  const score = scoreAt(MODEL, evidence, at)
  const contributions = contributionsOf(whole, Math.round(whole.start), score.score)
  const whatIf: WhatIf = { evidence, at, ...reportingOf(agentState, whole) }
  return {
    agentId,
    status,
    at,
    score,
    contributions,
    reasons: reasonsOf({
      attribution: whole,
      at,
      quarantined,
      recentLoss,
      isDisputed: score.disputed.isDisputed,
    }),
    nextTier: nextTier(MODEL, whatIf),
    errorBudget: errorBudget(MODEL, whatIf),
    strongest: whole.strongest,
    whatIf,
  }
}

/** Who reports hypothetical events, with the weight of its latest report; without one, an established platform. */
function reportingOf(
  { profile }: AgentState,
  attribution: Attribution,
): Omit<WhatIf, 'evidence' | 'at'> {
  const { id, voter = null, weight } = mainReporter(attribution) ?? SOME_PLATFORM
  const issuer = weight < MODEL.ownVoteWeightMin ? '' : (voter ?? id)
  const credentialShares = sharesOfNewTypes(profile, { issuer, platform: id })
  return { reporter: id, voter, reporterWeight: weight, credentialShares }
}

/** What the score would be after more events, all of them now. */
export function scoresAfter({ score, whatIf }: Explanation, asked: readonly Hypothetical[]) {
  return asked.map(({ type, count }) => {
    const after = scoreAfter(MODEL, whatIf, { type, count })
    return { type, count, score: after, difference: after - score.score }
  })
}

function changeSince({ evidence }: AgentState, at: number, snapshot: Snapshot, since: Attribution) {
  const { score } = scoreAt(MODEL, evidence, at)
  return {
    snapshot,
    difference: score - snapshot.score,
    contributions: contributionsOf(since, snapshot.score, score),
    strongest: since.strongest,
  }
}

function scoreWithout(
  agentState: AgentState,
  at: number,
  event: RecordedEvent,
  evidence: Evidence,
) {
  const { score } = scoreAt(MODEL, evidence, at)
  const difference = score - scoreAt(MODEL, agentState.evidence, at).score
  return { eventId: event.id, counts: !event.isQuarantined, score, difference }
}
