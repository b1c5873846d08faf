import { lockOwnAgent } from '../auth/access.ts'
import { revokeAll } from '../credentials/revocation.ts'
import type { Agent, AgentStatus } from '../domain/agent.ts'
import { checkLimit, forbidden, invalidField, notFound, TrustError } from '../domain/error.ts'
import {
  dayWindow,
  type LimitName,
  REGISTRATIONS_PER_DAY,
  type ServiceTier,
  TIERS_OF_SERVICE,
} from '../domain/limits.ts'
import { isTestId, newIdLike } from '../domain/mode.ts'
import { MODEL } from '../domain/model.ts'
import { statusNotification } from '../domain/notification.ts'
import { NEW_AGENT_SCORE } from '../domain/tiers.ts'
import { registeredState } from '../ingest/fold.ts'
import { OWNER_MEMORY_MS } from '../ingest/low-scores.ts'
import type { Sources } from '../lib/sources.ts'
import type { OwnerRow, Store } from '../store/store.ts'

/** Registers an agent, if its owner's tier has room for one more. */
export async function registerAgent(
  store: Store,
  { now, newId }: Sources,
  ownerId: string,
  {
    displayName,
    metadata,
    parentId = null,
  }: Pick<Agent, 'displayName' | 'metadata'> & Partial<Pick<Agent, 'parentId'>>,
): Promise<Agent> {
  const { tier } = await lockOwner(store, ownerId)
  await checkAgentLimit(store, ownerId, tier)
  const at = now()
  await checkRegistrations(store, { ownerId, tier, now: at })
  const agent: Agent = {
    id: newIdLike(ownerId, newId),
    ownerId,
    displayName,
    metadata,
    hasPublicProfile: false,
    predecessorId: null,
    successorId: null,
    parentId,
    status: 'active',
    createdAt: at,
    updatedAt: at,
  }
  await store.agents.insert(
    agent,
    registeredState(MODEL, agent, await initialCeiling(store, ownerId, at)),
  )
  return agent
}

/** The owner, locked, so that two registrations at once cannot both take the last place. */
export async function lockOwner(store: Store, ownerId: string): Promise<OwnerRow> {
  const owner = await store.owners.find({ id: ownerId }, { lock: 'wait' })
  if (!owner || owner.status === 'erased') {
    throw notFound('owner')
  }
  return owner
}

/**
 * Counts the agents that are the account's now: one that was registered today counts for the account that has it.
 *
 * @throws RATE_LIMIT_EXCEEDED where as many were registered today as the owner's tier allows
 */
export async function checkRegistrations(
  store: Store,
  { ownerId, tier, now }: { ownerId: string; tier: ServiceTier; now: number },
): Promise<void> {
  const max = REGISTRATIONS_PER_DAY[tier]
  const { startsAt, endOf } = dayWindow(now)
  if (max === null || (await store.agents.countRegistered(ownerId, startsAt, max)) < max) {
    return
  }
  const next = endOf(startsAt)
  const limit: LimitName = 'registrations_per_day'
  throw new TrustError(
    'RATE_LIMIT_EXCEEDED',
    `${max} agents of this account were registered today, those included that are deactivated; the next day begins at ` +
      new Date(next).toISOString(),
    { limit, max },
    Math.ceil((next - now) / 1000),
  )
}

/** @throws FORBIDDEN where the owner's tier has room for no other agent */
export async function checkAgentLimit(
  store: Store,
  ownerId: string,
  tier: ServiceTier,
): Promise<void> {
  const { agentsMax: max } = TIERS_OF_SERVICE[tier]
  if (max !== null) {
    const count = await store.agents.count({ ownerId })
    const refusal = isTestId(ownerId)
      ? `test data has room for ${max} agents on every tier; deactivate one, or delete the test data`
      : `the ${tier} tier has room for ${max} agents; deactivate one, or move to a larger tier`
    checkLimit('max_agents', count, max, refusal)
  }
}

/** The owner's worst agent of the last year, kept or given up: a fresh start must not pay. */
export async function initialCeiling(
  store: Store,
  ownerId: string,
  now: number,
): Promise<number | undefined> {
  return (await store.agents.lowScore(ownerId, NEW_AGENT_SCORE, now - OWNER_MEMORY_MS)) ?? undefined
}

/** @throws FORBIDDEN for a suspended or deactivated agent: it is neither transferred nor replaced */
export function checkInUse({ status }: Pick<Agent, 'status'>): void {
  if (status !== 'active') {
    throw forbidden(`this agent is ${status}; it cannot be transferred or replaced`, {
      reason: `agent_${status}`,
    })
  }
}

/** An agent of this owner that is not deactivated, locked. */
export async function lockOwnLivingAgent(
  within: Store,
  ownerId: string,
  id: string,
): Promise<Agent> {
  return living((await lockOwnAgent(within, ownerId, id)).agent)
}

/** The agent. @throws FORBIDDEN where it is deactivated */
export function living(agent: Agent): Agent {
  if (agent.status === 'deactivated') {
    throw forbidden('this agent is deactivated', { reason: 'agent_deactivated' })
  }
  return agent
}

export interface StatusChange {
  readonly status: AgentStatus
  readonly reason: string | null
}

export interface AgentPatch {
  readonly displayName?: string | undefined
  readonly metadata?: Agent['metadata'] | undefined
  readonly hasPublicProfile?: boolean | undefined
}

/** Changes the given fields; where nothing differs, `updatedAt` stays as well. */
export async function updateAgent(
  store: Store,
  { now }: Sources,
  agent: Agent,
  patch: AgentPatch,
): Promise<Agent> {
  const { displayName = agent.displayName, metadata = agent.metadata } = patch
  const { hasPublicProfile = agent.hasPublicProfile } = patch
  if (hasPublicProfile && isTestId(agent.id)) {
    throw invalidField('publicProfile', 'cannot be true: a test agent has no public profile')
  }
  const isSame =
    displayName === agent.displayName &&
    hasPublicProfile === agent.hasPublicProfile &&
    JSON.stringify(metadata) === JSON.stringify(agent.metadata)
  if (isSame) {
    return agent
  }
  return (
    (await store.agents.update(agent.id, { displayName, metadata, hasPublicProfile }, now())) ??
    agent
  )
}

/** Moves an agent to another status; every later event sees it. */
export async function changeStatus(
  store: Store,
  { now }: Sources,
  agent: Agent,
  { status, reason }: StatusChange,
): Promise<Agent> {
  // Locked first, so that no event is folded after the response to the change. The agent may have changed, and passed to
  // another owner, since it was read.
  const agentState = await store.agentStates.find({ agentId: agent.id }, { lock: 'wait' })
  if (!agentState) {
    throw notFound('agent')
  }
  const { agentId, ownerId, status: previousStatus, isParent } = agentState
  if (previousStatus === status) {
    return { ...agent, status }
  }
  if (previousStatus === 'deactivated') {
    throw forbidden('a deactivated agent stays deactivated', { reason: 'agent_deactivated' })
  }
  const changed = await store.agents.update(agentId, { status }, now())
  if (status === 'deactivated') {
    await revokeAll(store, agentId, now())
  }
  if (isParent) {
    await store.delegationTasks.insertAll([{ agentId, report: null }])
  }
  await store.notifications.insertAll([
    statusNotification({ ownerId, agentId, previousStatus, status, reason, createdAt: now() }),
  ])
  return changed ?? agent
}
