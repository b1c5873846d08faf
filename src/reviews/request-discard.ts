import { TrustError } from '../domain/error.ts'
import { existingPlatform } from '../identity/platforms.ts'
import type { Sources } from '../lib/sources.ts'
import { DISCARDS_READ, type Discard, type Store } from '../store/store.ts'

export type DiscardRequest = Pick<Discard, 'platformId' | 'reason'>

/** Begins to discard what the platform has reported. */
export async function requestDiscard(
  within: Store,
  { now }: Pick<Sources, 'now'>,
  request: DiscardRequest,
): Promise<DiscardStatus> {
  const { platformId } = request
  const { ownerId } = await existingPlatform(within, platformId)
  const own = ownerId === null ? [] : await within.platforms.findAll({ ownerId })
  const platformIds = ownerId === null ? [platformId] : own.map(({ id }) => id)
  await lockPlatforms(within, platformIds)
  const earlier = (await within.discards.findMany([platformId])).get(platformId) ?? []
  const [last] = earlier
  if (last?.finishedAt === null) {
    throw new TrustError('CONFLICT', 'the reports of this platform are being discarded already', {
      reason: 'being_discarded',
      requestedAt: new Date(last.requestedAt).toISOString(),
    })
  }
  await awaitReportsBeingWritten(within, platformIds)
  const discard = {
    ...request,
    platformOwnerId: ownerId,
    // Two discards of a platform never have the same time: it is part of their key.
    requestedAt: Math.max(now(), (last?.requestedAt ?? 0) + 1),
    ...NOT_BEGUN,
  }
  await within.discards.insert(discard)
  return statusOf(discard, earlier.slice(0, DISCARDS_READ - 1))
}

const NOT_BEGUN = {
  agentsInAll: null,
  afterAgentId: null,
  agentsPassed: 0,
  agents: 0,
  leftAgentIds: [],
  finishedAt: null,
} as const

/**
 * Of two requests at once one is refused. A task that reports for one of these platforms about the parents of a child
 * waits for the request, or the request waits for the task. The first report of a platform, which inserts its statistics,
 * does not wait for the request, which may wait for other reports.
 */
async function lockPlatforms(within: Store, ascendingIds: readonly string[]): Promise<void> {
  for (const id of ascendingIds) {
    await existingPlatform(within, id, { lock: 'wait' })
  }
}

/**
 * An agent is checked by what is committed. So the request waits for the reports of the platforms that are being
 * written: each has locked the statistics of its platform. One that was decided on and is not written yet finds other
 * statistics than it was decided by, and is decided on again, after the request.
 */
function awaitReportsBeingWritten(within: Store, platformIds: readonly string[]): Promise<void> {
  return within.reporters.change(platformIds, (stats) => stats)
}

export interface DiscardStatus extends Discard {
  /** Null while the agents are not counted, and once it is finished. */
  readonly progress: { readonly agentsChecked: number; readonly agentsInAll: number } | null
  /** Those of the platform before it, the newest first. */
  readonly earlier: readonly Discard[]
}

/** How far a discard is. An agent whose event could not be written yet does not count as checked. */
function statusOf(latest: Discard, earlier: readonly Discard[]): DiscardStatus {
  const { finishedAt, agentsInAll, agentsPassed, leftAgentIds } = latest
  if (finishedAt !== null || agentsInAll === null) {
    return { ...latest, progress: null, earlier }
  }
  const progress = {
    agentsChecked: agentsPassed - leftAgentIds.length,
    // Agents that are registered meanwhile are checked as well.
    agentsInAll: Math.max(agentsInAll, agentsPassed),
  }
  return { ...latest, progress, earlier }
}

/** The discards of these platforms that are shown, by platform. */
export async function discardsOf(
  store: Store,
  platformIds: readonly string[],
): Promise<ReadonlyMap<string, DiscardStatus>> {
  const found = await store.discards.findMany(platformIds)
  const statuses = [...found.values()].flatMap(([latest, ...earlier]) =>
    latest ? [statusOf(latest, earlier)] : [],
  )
  return new Map(statuses.map((status) => [status.platformId, status]))
}
