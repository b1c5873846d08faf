import type { Agent, RecordedEvent, Trigger } from '../domain/agent.ts'
import { addEvent, type CountedEvent, type Evidence, newEvidence } from '../domain/evidence.ts'
import { NO_HOUR } from '../domain/limits.ts'
import type { Model } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import { EMPTY_PROFILE } from '../fraud/profile.ts'
import type { AgentState, Snapshot } from '../store/store.ts'
import { firstLink, type Link, nextLink } from './chain.ts'

/** The state of an agent that has just been registered. */
export function registeredState(
  model: Model,
  {
    id: agentId,
    ownerId,
    status,
    createdAt,
  }: Pick<Agent, 'id' | 'ownerId' | 'status' | 'createdAt'>,
  initialCeiling?: number,
): AgentState {
  const evidence = newEvidence(createdAt, initialCeiling)
  return {
    agentId,
    ownerId,
    status,
    evidence,
    profile: EMPTY_PROFILE,
    score: scoreAt(model, evidence, createdAt).score,
    snapshots: 0,
    seq: 0,
    chain: firstLink({ agentId, ...evidence }),
    quarantinedCount: 0,
    hourCount: NO_HOUR,
    credentialFloor: 0,
    modelVersion: model.version,
    updatedAt: createdAt,
  }
}

/** The agent's state before its first event: as registered, with nothing folded. */
export function initialState(model: Model, agentState: AgentState): AgentState {
  const { agentId, evidence } = agentState
  const { registeredAt, initialCeiling } = evidence
  const fresh = newEvidence(registeredAt, initialCeiling)
  const { score } = scoreAt(model, fresh, registeredAt)
  const chain = firstLink({ agentId, registeredAt, initialCeiling })
  return { ...agentState, evidence: fresh, score, chain, snapshots: 0 }
}

export interface Folded {
  readonly agentState: AgentState
  /** Where the score moved. */
  readonly snapshot: Snapshot | null
}

/** Folds an event that counts into its agent's evidence and chain, with a snapshot if the score moves. */
export function foldEvent(
  model: Model,
  before: AgentState,
  event: RecordedEvent,
  newId: () => string,
): Folded {
  const link = linkOf(event)
  const evidence = addEvent(model, before.evidence, link)
  const chain = nextLink(before.chain, link)
  const snapshot = snapshotAt(model, before, evidence, event, newId)
  if (!snapshot) {
    return { agentState: { ...before, evidence, chain }, snapshot }
  }
  const { score, number } = snapshot
  return { agentState: { ...before, evidence, chain, score, snapshots: number }, snapshot }
}

/** The snapshot after an event; null where the score is what it was before. */
export function snapshotAt(
  model: Model,
  before: Pick<AgentState, 'agentId' | 'score' | 'snapshots'>,
  evidence: Evidence,
  { id, seq, type, createdAt }: Pick<RecordedEvent, 'id' | 'seq' | 'type' | 'createdAt'>,
  newId: () => string,
): Snapshot | null {
  const { score, eventCount, breakdown, modelVersion } = scoreAt(model, evidence, createdAt)
  if (score === before.score) {
    return null
  }
  const trigger: Trigger = { kind: 'event', id, type }
  return {
    id: newId(),
    agentId: before.agentId,
    number: before.snapshots + 1,
    seq,
    score,
    eventCount,
    breakdown,
    trigger,
    modelVersion,
    createdAt,
    correctedAt: null,
  }
}

/** An event as the scoring model sees it. The weight is named only where it is not the full one. */
export function countedEvent({
  type,
  data,
  reporter,
  self,
  trust,
  createdAt,
}: RecordedEvent): CountedEvent {
  const counted: CountedEvent = { type, data, reporter: reporter.id, self, at: createdAt }
  return trust === 1 ? counted : { ...counted, trust }
}

/** An event as it is folded and hashed. */
export function linkOf(event: RecordedEvent): Link {
  const { id, seq, type, data, reporter, self, trust, createdAt } = event
  const link: Link = { id, seq, type, data, reporter: reporter.id, self, at: createdAt }
  return trust === 1 ? link : { ...link, trust }
}
