import type { RecordedEvent } from '../domain/agent.ts'
import { newEvidence } from '../domain/evidence.ts'
import { type Score, scoreAt } from '../domain/score.ts'
import type { Snapshot } from '../store/store.ts'
import { publishedBy, snapshotAfter } from './fold.ts'
import type { Log, Replayed, Step } from './replay.ts'

/** Follows the score through a replay: gives the snapshot after each event that changed it. */
export function scoreHistory(
  log: Log<RecordedEvent>,
  newId: () => string,
): (step: Step<RecordedEvent>) => Snapshot | null {
  const { agentId } = log.registration
  const { score } = scoreAtRegistration(log)
  let before = { agentId, score, isDisputed: false, snapshots: 0 }
  return ({ entry, counts, evidence }) => {
    const snapshot = counts ? snapshotAfter(log.model, before, evidence, entry, newId) : null
    if (snapshot) {
      before = { agentId, ...publishedBy(snapshot) }
    }
    return snapshot
  }
}

/** The score when the last event that counts was folded, or at registration where none counts. */
export function scoreAtEnd(
  log: Log<RecordedEvent>,
  { evidence, last }: Replayed<RecordedEvent>,
): Score {
  return last ? scoreAt(log.model, evidence, last.createdAt) : scoreAtRegistration(log)
}

function scoreAtRegistration({ model, registration }: Log<RecordedEvent>): Score {
  const { registeredAt, initialCeiling } = registration
  return scoreAt(model, newEvidence(model, registeredAt, initialCeiling), registeredAt)
}
