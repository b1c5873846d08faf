import { lockOwnAgent } from '../auth/access.ts'
import type { Agent } from '../domain/agent.ts'
import { TrustError } from '../domain/error.ts'
import { carriedEvidence } from '../domain/handover.ts'
import { newIdLike } from '../domain/mode.ts'
import { MODEL } from '../domain/model.ts'
import { scoringTime } from '../domain/time.ts'
import { registeredState } from '../ingest/fold.ts'
import { type Recorder, recordOwnEvent } from '../ingest/record-reports.ts'
import type { AgentState, Store } from '../store/store.ts'
import {
  type AgentPatch,
  changeStatus,
  checkInUse,
  checkRegistrations,
  lockOwner,
} from './agents.ts'

/**
 * Replaces an agent by a new one with a key of its own. The new one begins with all that was reported of
 * the old one, which is deactivated in the same transaction: nothing bad is left behind, and nothing good
 * is there twice.
 */
export async function registerSuccessor(
  within: Store,
  recorder: Recorder,
  { ownerId, predecessorId }: { readonly ownerId: string; readonly predecessorId: string },
  given: AgentPatch,
): Promise<Agent> {
  const { newId, now } = recorder
  // In the order of all transactions: the owner, and then the agent.
  const { tier } = await lockOwner(within, ownerId)
  const locked = await lockOwnAgent(within, ownerId, predecessorId)
  const { agent: predecessor, agentState: left } = locked
  checkInUse(left)
  await checkReviewed(within, predecessorId)
  await checkRegistrations(within, { ownerId, tier, now: now() })
  await changeStatus(within, recorder, predecessor, { status: 'deactivated', reason: null })
  const at = scoringTime(left, now())
  const agent: Agent = {
    id: newIdLike(predecessorId, newId),
    ownerId,
    displayName: given.displayName ?? predecessor.displayName,
    metadata: given.metadata ?? predecessor.metadata,
    hasPublicProfile: predecessor.hasPublicProfile,
    predecessorId,
    successorId: null,
    parentId: predecessor.parentId,
    status: 'active',
    createdAt: at,
    updatedAt: at,
  }
  // The behaviour profile is kept: a successor is not a new agent for the rules.
  const { profile, reporterHours } = left
  const registered = { ...registeredState(MODEL, agent), profile, reporterHours }
  await within.agents.insert(agent, registered)
  await recordSuccession(within, recorder, agent, left)
  await within.agents.succeed(left, agent.id)
  if (left.isParent) {
    await within.delegationTasks.insertAll([{ agentId: agent.id, report: null }])
  }
  return agent
}

function recordSuccession(
  within: Store,
  recorder: Recorder,
  { id: agentId, ownerId }: Agent,
  { agentId: predecessorId, evidence }: AgentState,
): Promise<void> {
  const predecessorEvidence = carriedEvidence(evidence)
  return recordOwnEvent(within, recorder, {
    agentId,
    ownerId,
    event: { type: 'agent.succeeded', data: { predecessorId, predecessorEvidence } },
  })
}

/** A review that comes later would count for the old agent alone. */
async function checkReviewed(within: Store, agentId: string): Promise<void> {
  if ((await within.reviews.awaitingReview(agentId)).length > 0) {
    throw new TrustError(
      'CONFLICT',
      'events of this agent await review; it can be replaced once they are decided on',
      { reason: 'events_awaiting_review' },
    )
  }
}
