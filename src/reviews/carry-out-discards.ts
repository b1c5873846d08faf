/**
 * Discards what a platform has reported: its key leaked, or the operator found it hostile. An event in each agent's log
 * says so, and from then on the agent is scored as if the platform had no vote yet. It is done in the background, agent by
 * agent. The transaction that writes the event also notes how far the discard is: no agent is left out, and none gets
 * two events.
 */
import { TrustError } from '../domain/error.ts'
import { discardReport } from '../ingest/own-report.ts'
import { type Recorder, recordOwnReports } from '../ingest/record-reports.ts'
import { throwFirst } from '../lib/failures.ts'
import type { AgentState, Discard, Store } from '../store/store.ts'

/** Agents left because they could not be written. Beyond that the fault is not theirs. */
const LEFT_MAX = 1_000

/** Discards read at a time. */
const ROUND = 10

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
  let discard = begun
  let before: Discard
  // Once more after the last part: a successor that was registered meanwhile has the votes of its predecessor.
  do {
    before = discard
    for await (const ids of run.store.agentStates.agentIds(undefined, discard.afterAgentId)) {
      // Also where no agent of the part needs the event: a stop does not wait for all parts.
      const checked = run.isStopping() ? null : await checkPart(run, discard, ids)
      if (!checked) {
        return null
      }
      discard = checked
    }
  } while (discard !== before)
  return discard
}

/** The discard after these agents, the next ones; null as above. */
async function checkPart(
  run: DiscardRun,
  begun: Discard,
  agentIds: readonly string[],
): Promise<Discard | null> {
  const { store, isStopping } = run
  let discard = begun
  for (const agentId of await agentsWith(store, begun, agentIds)) {
    const agentsPassed = begun.agentsPassed + agentIds.indexOf(agentId) + 1
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
    afterAgentId: agentIds.at(-1) ?? discard.afterAgentId,
    agentsPassed: begun.agentsPassed + agentIds.length,
  }
  return (await advance(store, discard, passed)) ? passed : null
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
