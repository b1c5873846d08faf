import type { RecordedEvent, Trigger } from '../domain/agent.ts'
import { addEvent, type CountedEvent, newEvidence } from '../domain/evidence.ts'
import { MODEL } from '../domain/model.ts'
import { scoreAt } from '../domain/score.ts'
import type { AgentState, Snapshot } from '../store/store.ts'
import { firstLink, nextLink } from './chain.ts'

export interface Folded {
  readonly agentState: AgentState
  /** Where the score moved. */
  readonly snapshot: Snapshot | null
}

/** The agent's standing before its first event: as registered, with nothing folded. */
export function initialState(agentState: AgentState): AgentState {
  const { registeredAt, initialCeiling } = agentState.evidence
  const evidence = newEvidence(registeredAt, initialCeiling)
  const { score } = scoreAt(MODEL, evidence, registeredAt)
  const chain = firstLink({
    agentId: agentState.agentId,
    registeredAt,
    initialCeiling,
  })
  return { ...agentState, evidence, score, chain, snapshots: 0 }
}

/** Folds an event that counts into its agent's evidence and chain, with a snapshot if the score moves. */
export function foldEvent(
  agentState: AgentState,
  event: RecordedEvent,
  newId: () => string,
  trigger: Trigger = { kind: 'event', id: event.id, type: event.type },
): Folded {
  const counted = countedEvent(event)
  const evidence = addEvent(MODEL, agentState.evidence, counted)
  const { id, seq } = event
  const chain = nextLink(agentState.chain, { id, seq, ...counted })
  const graded = scoreAt(MODEL, evidence, event.createdAt)
  const { score, eventCount, breakdown, modelVersion } = graded
  if (score === agentState.score) {
    return { agentState: { ...agentState, evidence, chain }, snapshot: null }
  }
  const { agentId } = agentState
  const number = agentState.snapshots + 1
  const snapshot: Snapshot = {
    id: newId(),
    agentId,
    number,
    seq: event.seq,
    score,
    eventCount,
    breakdown,
    trigger,
    modelVersion,
    createdAt: event.createdAt,
    correctedAt: null,
  }
  return { agentState: { ...agentState, evidence, chain, score, snapshots: number }, snapshot }
}

/** An event as the scoring model sees it. The weight is named only where it is not the full one. */
export function countedEvent({ type, data, reporter, self, trust, createdAt }: RecordedEvent) {
  const counted: CountedEvent = { type, data, reporter: reporter.id, self, at: createdAt }
  return trust === 1 ? counted : { ...counted, trust }
}
