/**
 * Discards what a platform has reported: its key leaked, or the operator found it hostile. An event in each agent's log
 * says so, and from then on the agent is scored as if the platform had no vote yet. It is done in the background, agent by
 * agent. The transaction that writes the event also notes how far the discard is: no agent is left out, and none gets
 * two events.
 */
import { TrustError } from '../domain/error.ts'
import { existingPlatform } from '../identity/platforms.ts'
import { discardReport } from '../ingest/own-report.ts'
import { type Recorder, recordOwnReports } from '../ingest/record-reports.ts'
import { throwFirst } from '../lib/failures.ts'
import type { Sources } from '../lib/sources.ts'
import { type AgentState, DISCARDS_READ, type Discard, type Store } from '../store/store.ts'

/** Agents left because they could not be written. Beyond that the fault is not theirs. */
const LEFT_MAX = 1_000

/** Discards read at a time. */
const ROUND = 10

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
    await existingPlatform(within, id, { lock: 'change' })
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

export interface DiscardRun {
  readonly store: Store
  readonly recorder: Recorder
  /** Checked between agents: the next start, or another node, continues. */
  readonly isStopping: () => boolean
  readonly onFinished: (discard: Discard) => void
}

/** Carries out what was requested. One that fails delays no other; throws the first failure at the end. */
export async function carryOutDiscards(run: DiscardRun): Promise<void> {
  const failures: unknown[] = []
  for (const discard of await run.store.discards.waiting([], ROUND)) {
    try {
      await carryOut(run, discard)
    } catch (error) {
      failures.push(error)
    }
  }
  throwFirst(failures)
}

async function carryOut(run: DiscardRun, requested: Discard): Promise<void> {
  const { store, recorder, onFinished } = run
  const begun = await countAgents(store, requested)
  const checked = begun && (await checkAgents(run, begun))
  const retried = checked && (await retryLeft(run, checked))
  if (!retried) {
    return
  }
  const finished = { ...retried, finishedAt: recorder.now() }
  if (await advance(store, retried, finished)) {
    onFinished(finished)
  }
}

/** The discard with the number of all agents, if it has not passed any yet; null where another node continues it. */
async function countAgents(store: Store, discard: Discard): Promise<Discard | null> {
  if (discard.agentsInAll !== null || discard.afterAgentId !== null) {
    return discard
  }
  // Only people read the number: a discard whose agents cannot be counted is carried out all the same.
  const agentsInAll = await store.agentStates.count().catch(() => null)
  const counted = { ...discard, agentsInAll }
  return (await advance(store, discard, counted)) ? counted : null
}

/** The discard after all agents; null where another node continues it, or a stop ended it. */
async function checkAgents(run: DiscardRun, begun: Discard): Promise<Discard | null> {
  const { store, isStopping } = run
  let discard = begun
  let isEnd = false
  // Once more after the last part: a successor that was registered meanwhile has the votes of its predecessor.
  while (!isEnd) {
    isEnd = true
    for await (const ids of store.agentStates.agentIds(undefined, discard.afterAgentId)) {
      isEnd = false
      // Also where no agent of the part needs the event: a stop does not wait for all parts.
      if (isStopping()) {
        return null
      }
      const passedBefore = discard.agentsPassed
      for (const agentId of await agentsWith(store, discard, ids)) {
        const agentsPassed = passedBefore + ids.indexOf(agentId) + 1
        const after = { ...discard, afterAgentId: agentId, agentsPassed }
        const next = isStopping()
          ? null
          : await discardOrLeave(run, { agentId, before: discard, after })
        if (!next) {
          return null
        }
        discard = next
      }
      const passed = {
        ...discard,
        afterAgentId: ids.at(-1) ?? discard.afterAgentId,
        agentsPassed: passedBefore + ids.length,
      }
      if (!(await advance(store, discard, passed))) {
        return null
      }
      discard = passed
    }
  }
  return discard
}

/** Those with a vote of the platform, or with an event of it that a review may still release. */
async function agentsWith(
  store: Store,
  discard: Discard,
  agentIds: readonly string[],
): Promise<readonly string[]> {
  const states = await store.agentStates.findMany(agentIds)
  const quarantined = agentIds.filter((id) => (states.get(id)?.quarantinedCount ?? 0) > 0)
  const waiting = new Set(
    quarantined.length === 0 ? [] : await store.reviews.withQuarantinedOf(quarantined, discard),
  )
  return agentIds.filter((id) => {
    const state = states.get(id)
    return state !== undefined && (hasVoteOf(discard, state) || waiting.has(id))
  })
}

function hasVoteOf({ platformId, platformOwnerId }: Discard, { evidence }: AgentState): boolean {
  return evidence.sources.some(({ voter }) => voter === platformId || voter === platformOwnerId)
}

/** Writes the event of an agent. One that cannot be written, because it is locked for example, is left for later. */
async function discardOrLeave(
  { store, recorder }: DiscardRun,
  step: AgentStep,
): Promise<Discard | null> {
  const { agentId, before, after } = step
  try {
    return await recordIn(store, recorder, step)
  } catch (error) {
    if (before.leftAgentIds.length >= LEFT_MAX) {
      throw error
    }
    const left = { ...after, leftAgentIds: [...before.leftAgentIds, agentId] }
    return (await advance(store, before, left)) ? left : null
  }
}

/** The discard once no agent is left; null otherwise. Throws the first failure once each agent was tried. */
async function retryLeft(
  { store, recorder, isStopping }: DiscardRun,
  begun: Discard,
): Promise<Discard | null> {
  const failures: unknown[] = []
  let discard = begun
  for (const agentId of begun.leftAgentIds) {
    if (isStopping()) {
      return null
    }
    const leftAgentIds = discard.leftAgentIds.filter((id) => id !== agentId)
    const after = { ...discard, leftAgentIds }
    try {
      const next = await recordIn(store, recorder, { agentId, before: discard, after })
      if (!next) {
        return null
      }
      discard = next
    } catch (error) {
      failures.push(error)
    }
  }
  throwFirst(failures)
  return discard
}

/** An agent, and how far the discard is before it and after it. */
interface AgentStep {
  readonly agentId: string
  readonly before: Discard
  readonly after: Discard
}

/** Writes the event of one agent with the progress; null where another node was faster. */
async function recordIn(
  store: Store,
  recorder: Recorder,
  { agentId, before, after }: AgentStep,
): Promise<Discard | null> {
  const { platformId, platformOwnerId } = before
  const next = { ...after, agents: before.agents + 1 }
  try {
    return await store.transaction(async (within) => {
      if (!(await advance(within, before, next))) {
        return null
      }
      const report = discardReport({ agentId, platformId, platformOwnerId })
      await recordOwnReports(within, recorder, [report])
      return next
    })
  } catch (error) {
    // Test data can be deleted meanwhile. A discard that waited for such an agent would never end.
    if (!(error instanceof TrustError && error.code === 'NOT_FOUND')) {
      throw error
    }
    return (await advance(store, before, after)) ? after : null
  }
}

/** Notes how far a discard is, unless it is not where it was. */
async function advance(store: Store, before: Discard, after: Discard): Promise<boolean> {
  const { platformId, requestedAt, afterAgentId, agents } = before
  const where = { platformId, requestedAt, afterAgentId, agents, finishedAt: null }
  return (await store.discards.update(where, after)) !== null
}
