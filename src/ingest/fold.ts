import type { Agent, LoggedEvent, RecordedEvent, SnapshotTrigger } from '../domain/agent.ts'
import { addTo } from '../domain/evidence.ts'
import { newEvidence } from '../domain/evidence-state.ts'
import type { Model } from '../domain/model.ts'
import { movedScoreAt, publishedAt, type Score } from '../domain/score.ts'
import { NEW_AGENT_SCORE } from '../domain/tiers.ts'
import { EMPTY_PROFILE, type Writable } from '../fraud/profile.ts'
import type { AgentState, Snapshot } from '../store/store.ts'
import type { OwnedAgentState } from './batch-state.ts'
import { firstLink, type Link, nextLink } from './chain.ts'
import type { Given } from './decide.ts'
import { committed } from './text-commitment.ts'

/** The state of an agent that has just been registered, chained by default. */
export function registeredState(
  model: Model,
  {
    id: agentId,
    ownerId,
    status,
    createdAt,
    parentId = null,
  }: Pick<Agent, 'id' | 'ownerId' | 'status' | 'createdAt'> & Partial<Pick<Agent, 'parentId'>>,
  initialCeiling?: number,
  { isChained = true }: { readonly isChained?: boolean } = {},
): AgentState {
  const evidence = newEvidence(model, createdAt, initialCeiling)
  const { score } = publishedAt(model, evidence, createdAt)
  return {
    agentId,
    ownerId,
    status,
    evidence,
    profile: EMPTY_PROFILE,
    score,
    isDisputed: false,
    wasLow: isLow(score),
    snapshots: 0,
    seq: 0,
    chain: isChained ? firstLink({ agentId, ...evidence }) : NO_CHAIN,
    quarantinedCount: 0,
    correctedAt: null,
    reporterHours: [],
    credentialFloor: 0,
    modelVersion: model.version,
    successorId: null,
    parentId,
    isParent: false,
    updatedAt: createdAt,
  }
}

/** Where nothing is chained. */
const NO_CHAIN = new Uint8Array(0)

/**
 * Folds an event into the state of its agent. With a snapshot where the score moved, or came to be disputed or
 * undisputed.
 */
export type Fold = (
  own: OwnedAgentState,
  event: RecordedEvent,
  given: Pick<Given, 'model' | 'newId'>,
) => Snapshot | null

/** As the service folds: into the evidence and the chain. */
export const foldEvent: Fold = (own, event, { model, newId }) => {
  const link = linkOf(event)
  addTo(model, own.evidence, link)
  own.chain = nextLink(own.chain, link)
  const snapshot = snapshotAfter(model, own, event, newId)
  if (snapshot) {
    Object.assign(own, publishedBy(snapshot))
    own.wasLow ||= isLow(snapshot.score)
  }
  return snapshot
}

/** Whether a score limits the next agents of the owner. */
export function isLow(score: number): boolean {
  return score < NEW_AGENT_SCORE
}

/** What an agent's state keeps of its last snapshot. */
export function publishedBy({ score, disputed, number }: Snapshot) {
  return { score, isDisputed: disputed.isDisputed, snapshots: number }
}

/** An agent that an event was folded for: its evidence after the event, and what was published before it. */
type Folded = Pick<AgentState, 'agentId' | 'evidence' | 'score' | 'isDisputed' | 'snapshots'>

/** The snapshot after an event; null where the score is, and is as disputed as, before. */
export function snapshotAfter(
  model: Model,
  folded: Folded,
  { id, seq, type, createdAt }: Pick<RecordedEvent, 'id' | 'seq' | 'type' | 'createdAt'>,
  newId: () => string,
): Snapshot | null {
  const score = movedScoreAt(model, folded.evidence, createdAt, folded)
  if (!score) {
    return null
  }
  const { agentId, snapshots } = folded
  const trigger: SnapshotTrigger = { kind: 'event', id, type }
  return newSnapshot(score, {
    id: newId(),
    agentId,
    number: snapshots + 1,
    seq,
    trigger,
    createdAt,
  })
}

export function newSnapshot(
  { score, eventCount, breakdown, disputed, exposureLimit, modelVersion }: Score,
  of: Pick<Snapshot, 'id' | 'agentId' | 'number' | 'seq' | 'trigger' | 'createdAt'>,
): Snapshot {
  const { id, agentId, number, seq, trigger, createdAt } = of
  const rest = { trigger, modelVersion, createdAt, correctedAt: null }
  const shown = { score, eventCount, breakdown, disputed, exposureLimit }
  return { id, agentId, number, seq, ...shown, ...rest }
}

/** An event as it is folded and hashed. What has its default is left out. */
export function linkOf(event: LoggedEvent): Link {
  const { id, seq, type, reporter, self, createdAt: at, salt } = event
  const data = salt === null ? event.data : committed(event.data, salt)
  const { voter, reporterWeight, share, hardness } = event
  const link: Writable<Link> = { id, seq, type, data, reporter: reporter.id, self, at }
  if (reporterWeight !== 1) {
    link.reporterWeight = reporterWeight
  }
  if (share !== 1) {
    link.share = share
  }
  if (hardness !== 0) {
    link.hardness = hardness
  }
  if (voter !== null) {
    link.voter = voter
  }
  if (event.importedAt !== null) {
    link.imported = true
  }
  if (event.review?.counted) {
    link.chainIndex = event.review.counted.chainIndex
  }
  return link
}
