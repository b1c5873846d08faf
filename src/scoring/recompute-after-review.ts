import type { LoggedEvent, RecordedEvent } from '../domain/agent.ts'
import { childReport, movesCeiling } from '../domain/delegation.ts'
import { chainLength } from '../domain/evidence-state.ts'
import { MODEL } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import { lowersStarts } from '../domain/start.ts'
import { nextLink } from '../ingest/chain.ts'
import { linkOf } from '../ingest/fold.ts'
import { replay, WHOLE_LOG } from '../ingest/replay.ts'
import type { Sources } from '../lib/sources.ts'
import type { AgentState, NewDelegationTask, Store } from '../store/store.ts'
import { existingState } from './agent-state.ts'
import { correctLog } from './correct-log.ts'
import { eventLog, isCounted, type Reading } from './event-log.ts'
import { publishedState, publishScore } from './publish-score.ts'

/**
 * The log of an agent since the first event that a review released, folded again: the evidence is what it
 * would be had they never been quarantined. Most of it is folded, and written, while the agent continues
 * receiving reports; `finish` folds the latest events under the agent's lock.
 */
export interface Recomputation {
  /**
   * Lets the events count from this time on, and chains them behind the agent's last event. Takes the
   * agent's locked state, and the events with their final decisions, in ascending order.
   */
  finish(
    locked: AgentState,
    released: readonly RecordedEvent[],
    at: number,
  ): Promise<readonly RecordedEvent[]>
}

export interface RecomputationOptions extends Sources {
  /** Throws when the work is to end. Asked before each part of the log. */
  readonly signal?: Reading['signal']
}

type Start = NonNullable<Reading['from']>

/** This many of the latest events may be folded while the agent's reports wait: some milliseconds. */
const LOCKED_EVENTS_MAX = 512

/** What comes in while a log is folded is folded next, and is less each time. */
const CATCH_UPS_MAX = 5

/** Folds up to the state that was read, without a lock except for other releases of the agent. */
export async function recomputeAfterReview(
  within: Store,
  { now, newId, signal }: RecomputationOptions,
  agentState: AgentState,
  released: readonly RecordedEvent[],
): Promise<Recomputation> {
  const { agentId } = agentState
  const ids = new Set(released.map(({ id }) => id))
  const since = Math.min(...released.map(({ seq }) => seq))
  const logFrom = (from: Start | null) => ({
    ...eventLog(within, agentState, { from, signal }),
    counts: (event: LoggedEvent) => isCounted(event) || ids.has(event.id),
  })
  const from = await within.checkpoints.last(agentId, { seq: since - 1 })
  const log = logFrom(from)
  const correction = await correctLog(within, log, { read: agentState, from, since, now, newId })
  let { evidence } = await replay(log, { seq: agentState.seq }, correction.correct)
  let { seq } = agentState
  for (let i = 0; i < CATCH_UPS_MAX; i++) {
    const { seq: end } = await existingState(within, agentId)
    if (end - seq <= LOCKED_EVENTS_MAX) {
      break
    }
    const next = await replay(logFrom({ seq, evidence }), { seq: end }, correction.correct)
    evidence = next.evidence
    seq = end
  }
  await correction.write()
  return {
    async finish(locked, decided, at) {
      const rest = await replay(logFrom({ seq, evidence }), WHOLE_LOG, correction.correct)
      evidence = rest.evidence
      const counted = chained(locked, decided, at)
      for (const event of counted) {
        await within.reviews.save(event)
      }
      const snapshots = await correction.end(at)
      const score = scoreAt(MODEL, evidence, evidence.at)
      const quarantinedCount = locked.quarantinedCount - decided.length
      const chain = counted.at(-1)?.chain ?? locked.chain
      const corrected = { evidence, chain, quarantinedCount, correctedAt: at }
      const published = publishedState(locked, score, snapshots)
      const next = { ...locked, ...published, ...corrected, updatedAt: at }
      await within.agentStates.save(next)
      await within.delegationTasks.insertAll(delegatedBy(locked, next, counted))
      const [first] = counted
      if (first) {
        const triggeredBy = { kind: 'review', id: first.id, type: first.type } as const
        await publishScore(within, locked, score, { triggeredBy, createdAt: at })
      }
      return counted
    },
  }
}

/** A correction is named by its time, so no two of an agent have the same. */
export function correctionTime({ updatedAt, correctedAt }: AgentState, now: number): number {
  return Math.max(now, updatedAt, (correctedAt ?? 0) + 1)
}

/** What is in the chain already stays as it is, so the cost is that of the released events alone. */
function chained(
  { evidence, chain }: AgentState,
  released: readonly RecordedEvent[],
  since: number,
): readonly RecordedEvent[] {
  let last = chain
  let chainIndex = chainLength(evidence)
  return released.map((event) => {
    chainIndex += 1
    const review = event.review && { ...event.review, counted: { since, chainIndex } }
    const counted = { ...event, isQuarantined: false, review }
    last = nextLink(last, linkOf(counted))
    return { ...counted, chain: last }
  })
}

/** What the released events mean for the parents of the agent, and its new score for its children. */
function delegatedBy(
  { agentId, parentId, isParent, score }: AgentState,
  after: AgentState,
  counted: readonly RecordedEvent[],
): readonly NewDelegationTask[] {
  const reports =
    parentId === null
      ? []
      : counted.flatMap((event) => childReport(MODEL, after.evidence, event) ?? [])
  const tasks: NewDelegationTask[] = reports.map((report) => ({ agentId, report }))
  const limits =
    lowersStarts(after.evidence, score, after.score) ||
    (isParent && movesCeiling(score, after.score))
  return limits ? [...tasks, { agentId, report: null }] : tasks
}
