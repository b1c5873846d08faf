import type { LoggedEvent } from '../domain/agent.ts'
import {
  type Attribution,
  addTimeEffect,
  addToAttribution,
  attributionSince,
  copyOf,
  NO_CHANGES,
  newAttribution,
  type Strongest,
  withChange,
} from '../domain/attribution.ts'
import { type Evidence, newEvidence } from '../domain/evidence-state.ts'
import { MODEL } from '../domain/model.ts'
import { RECENT_DAYS } from '../domain/reasons.ts'
import { DAY_MS } from '../domain/time.ts'
import { replay, type Step, type Until } from '../ingest/replay.ts'
import type { AgentState, CheckpointBound, Snapshot, Store } from '../store/store.ts'
import { eventLog, type Reading } from './event-log.ts'
import { followTrail } from './trail.ts'

/** What is read: the log of a state, as far as the state had come. */
export interface AttributedLog extends Pick<Reading, 'signal'> {
  readonly store: Store
  readonly agentState: AgentState
  readonly paced?: Pace | undefined
}

/** Called after each event. A promise is awaited before the next one. */
export type Pace = () => Promise<void> | undefined

/** How a score came about at a time. */
export interface AttributedScore {
  readonly whole: Attribution
  /** Points lost to bad events of the last RECENT_DAYS. */
  readonly recentLoss: number
}

/**
 * Attributes the score of the state that was read to its events. It begins at the last checkpoint with an
 * attribution, and leaves attributions at the checkpoints that it passes.
 */
export async function attributeScore(log: AttributedLog, at: number): Promise<AttributedScore> {
  const { attribution: whole } = await attributionUntil(log, { seq: log.agentState.seq })
  const recentSince = at - RECENT_DAYS * DAY_MS
  const lossBefore =
    recentSince > log.agentState.evidence.registeredAt
      ? (await attributionUntil(log, { at: recentSince - 1 })).attribution.loss
      : 0
  addTimeEffect(MODEL, whole, at)
  return { whole, recentLoss: whole.loss - lossBefore }
}

/** Attributes the change of the score since a snapshot. */
export async function attributeSince(
  log: AttributedLog,
  at: number,
  { seq, createdAt }: Snapshot,
): Promise<Attribution> {
  const { agentState } = log
  const { attribution: before } = await attributionUntil(log, { seq })
  const {
    attribution: whole,
    from,
    strongest: latest,
  } = await attributionUntil(log, { seq: agentState.seq })
  const strongest = await strongestSince(log, { seq, evidence: before.evidence, from, latest })
  addTimeEffect(MODEL, before, Math.max(createdAt, agentState.evidence.registeredAt))
  addTimeEffect(MODEL, whole, at)
  return attributionSince(before, whole, strongest)
}

/** Checkpoints with an attribution. */
const ATTRIBUTED = { isAttributed: true }

/** Leaves attributions at the next checkpoints of a log that have none, at most this many. */
export async function attributeCheckpoints(log: AttributedLog, max: number): Promise<void> {
  const { store, agentState } = log
  const { agentId, seq: seqMax } = agentState
  const last = await store.checkpoints.last(agentId, { seq: seqMax }, ATTRIBUTED)
  const numbers = await store.checkpoints.numbers(agentId, last?.seq ?? 0, { seq: seqMax })
  const seq = numbers[Math.min(max, numbers.length) - 1]
  if (seq !== undefined) {
    await attributionUntil(log, { seq })
  }
}

interface LogAttribution {
  readonly attribution: Attribution
  /** The checkpoint that it began at; 0 at registration. */
  readonly from: number
  /** The strongest events behind that checkpoint. */
  readonly strongest: Strongest
}

async function attributionUntil(
  { store, agentState, signal, paced }: AttributedLog,
  until: Until & CheckpointBound,
): Promise<LogAttribution> {
  const { agentId } = agentState
  const { registeredAt, initialCeiling } = agentState.evidence
  const from = await store.checkpoints.last(agentId, until, ATTRIBUTED)
  const fresh = newEvidence(MODEL, registeredAt, initialCeiling)
  const attribution = from?.attribution ?? newAttribution(MODEL, fresh, registeredAt)
  const start = from?.seq ?? 0
  let strongest = NO_CHANGES
  /** The strongest since the last attribution that was left on the way. */
  let strongestOfPart = NO_CHANGES
  const trail = followTrail(store, {
    read: agentState,
    from,
    numbers: await store.checkpoints.numbers(agentId, start, until),
    attribute() {
      const left = { attribution: copyOf(attribution), strongest: strongestOfPart }
      strongestOfPart = NO_CHANGES
      return left
    },
  })
  await replay(eventLog(store, agentState, { from, signal }), until, (step) => {
    if (step.counts) {
      const change = addToAttribution(MODEL, attribution, attributedEvent(step))
      strongest = withChange(strongest, change)
      strongestOfPart = withChange(strongestOfPart, change)
    }
    return trail.pass(step) ?? paced?.()
  })
  await trail.end()
  return { attribution, from: start, strongest }
}

interface Since {
  readonly seq: number
  /** The evidence after that event. */
  readonly evidence: Evidence
  /** The last attribution that was there, and the strongest events behind it. */
  readonly from: number
  readonly latest: Strongest
}

/** The strongest events since one: those up to the next attribution, those of whole parts, and the latest. */
async function strongestSince(
  { store, agentState, signal }: AttributedLog,
  { seq, evidence, from, latest }: Since,
): Promise<Strongest> {
  const { agentId } = agentState
  const known = await store.checkpoints.strongest(agentId, seq - 1, from)
  const log = eventLog(store, agentState, { from: { seq, evidence }, signal })
  const attribution = newAttribution(MODEL, evidence, evidence.at)
  await replay(log, { seq: known?.first ?? agentState.seq }, (step) => {
    if (step.counts) {
      addToAttribution(MODEL, attribution, attributedEvent(step))
    }
    return undefined
  })
  if (known === null) {
    return attribution.strongest
  }
  return [...known.parts, latest].reduce(merged, attribution.strongest)
}

function attributedEvent({ entry, link, evidence }: Step<LoggedEvent>) {
  return { id: link.id, kind: entry.reporter.kind, event: link, evidence }
}

function merged(strongest: Strongest, { up, down }: Strongest): Strongest {
  return [...up, ...down].reduce(withChange, strongest)
}
