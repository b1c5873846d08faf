import type { LoggedEvent } from '../domain/agent.ts'
import { newEvidence } from '../domain/evidence-state.ts'
import { type Score, scoreAt } from '../domain/score.ts'
import type { Snapshot } from '../store/store.ts'
import { publishedBy, snapshotAfter } from './fold.ts'
import type { Log, Replayed, Step } from './replay.ts'

/** Follows the score through a replay: gives the snapshot after each event that changed it. */
export function scoreHistory(
  log: Log<LoggedEvent>,
  newId: () => string,
): (step: Step<LoggedEvent>) => Snapshot | null {
  const { agentId } = log.registration
  const { score, disputed } = scoreAtStart(log)
  let before = { agentId, score, isDisputed: disputed.isDisputed, snapshots: 0 }
  return ({ entry, counts, evidence }) => {
    const snapshot = counts ? snapshotAfter(log.model, { ...before, evidence }, entry, newId) : null
    if (snapshot) {
      before = { agentId, ...publishedBy(snapshot) }
    }
    return snapshot
  }
}

/** The score when the last event that counts was folded, or at registration where none counts. */
export function scoreAtEnd(
  { model }: Log<LoggedEvent>,
  { evidence }: Pick<Replayed<LoggedEvent>, 'evidence'>,
): Score {
  return scoreAt(model, evidence, evidence.at)
}

function scoreAtStart({ model, registration, start }: Log<LoggedEvent>): Score {
  const { registeredAt, initialCeiling } = registration
  const evidence = start?.evidence ?? newEvidence(model, registeredAt, initialCeiling)
  return scoreAt(model, evidence, evidence.at)
}
