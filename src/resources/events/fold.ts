import { addEvent, type CountedEvent, newEvidence } from '../../core/evidence.ts'
import type { RecordedEvent, Trigger } from '../../core/record.ts'
import { scoreAt } from '../../core/score.ts'
import type { Snapshot, Standing } from '../../store/store.ts'
import { firstLink, nextLink } from '../proofs/chain.ts'

export interface Folded {
  readonly standing: Standing
  /** Where the score moved. */
  readonly snapshot: Snapshot | null
}

/** The agent's standing before its first event: as registered, with nothing folded. */
export function unheard(standing: Standing): Standing {
  const { registeredAt, startsAtMost } = standing.evidence
  const evidence = newEvidence(registeredAt, startsAtMost)
  const { score } = scoreAt(evidence, registeredAt)
  const chain = firstLink({ agentId: standing.agentId, registeredAt, startsAtMost })
  return { ...standing, evidence, score, chain, snapshots: 0 }
}

/** Folds an event that counts into its agent's evidence and chain, with a snapshot if the score moves. */
export function foldEvent(
  standing: Standing,
  event: RecordedEvent,
  newId: () => string,
  trigger: Trigger = { kind: 'event', id: event.id, type: event.type },
): Folded {
  const counted = countedEvent(event)
  const evidence = addEvent(standing.evidence, counted)
  const { id, seq } = event
  const chain = nextLink(standing.chain, { id, seq, ...counted })
  const graded = scoreAt(evidence, event.createdAt)
  const { score, eventCount, breakdown, modelVersion } = graded
  if (score === standing.score)
    return { standing: { ...standing, evidence, chain }, snapshot: null }
  const { agentId } = standing
  const number = standing.snapshots + 1
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
  return { standing: { ...standing, evidence, chain, score, snapshots: number }, snapshot }
}

/** An event as the scoring model sees it. The weight is named only where it is not the full one. */
export function countedEvent({ type, data, reporter, self, trust, createdAt }: RecordedEvent) {
  const counted: CountedEvent = { type, data, reporter: reporter.id, self, at: createdAt }
  return trust === 1 ? counted : { ...counted, trust }
}
