/**
 * Discards what a platform has reported: its key leaked, or the operator found it hostile. An event in each agent's log
 * says so, and from then on the agent is scored as if the platform had no vote yet. It is done in the background, a few
 * agents in each transaction, which also notes how far it is: no agent is left out, and none gets two events.
 */
import { TrustError } from '../domain/error.ts'
import { existingPlatform } from '../identity/platforms.ts'
import { discardReport } from '../ingest/own-report.ts'
import { type Recorder, recordOwnReports } from '../ingest/record-reports.ts'
import type { Sources } from '../lib/sources.ts'
import type { AgentState, Discard, Store } from '../store/store.ts'

/** Agents of one transaction: their reports wait for some tens of milliseconds at most. */
const PART = 50

/** Discards read at a time. */
const ROUND = 10

/** Begins to discard what the platform has reported. */
export async function requestDiscard(
  within: Store,
  { now }: Pick<Sources, 'now'>,
  platformId: string,
  reason: string,
): Promise<Discard> {
  // Locked, so that of two requests at once one is refused.
  const { ownerId } = await existingPlatform(within, platformId, { lock: 'wait' })
  const known = await within.discards.find({ platformId })
  if (known?.finishedAt === null) {
    throw new TrustError('CONFLICT', 'the reports of this platform are being discarded already', {
      requestedAt: new Date(known.requestedAt).toISOString(),
    })
  }
  const discard: Discard = {
    platformId,
    platformOwnerId: ownerId,
    reason,
    requestedAt: now(),
    afterAgentId: null,
    agents: 0,
    finishedAt: null,
  }
  await within.discards.save(discard)
  return discard
}

export interface DiscardRun {
  readonly store: Store
  readonly recorder: Recorder
  /** Checked between parts: the next start, or another node, continues. */
  readonly isStopping: () => boolean
  readonly onFinished: (discard: Discard) => void
}

/** Carries out what was requested. One that fails delays no other; throws the first failure at the end. */
export async function carryOutDiscards(run: DiscardRun): Promise<void> {
  const failures: unknown[] = []
  for (const discard of await run.store.discards.unfinished(ROUND)) {
    try {
      await carryOut(run, discard)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw failures[0]
  }
}

async function carryOut(run: DiscardRun, begun: Discard): Promise<void> {
  const { store, recorder, isStopping, onFinished } = run
  let discard: Discard | null = begun
  for await (const ids of store.agentStates.agentIds(undefined, begun.afterAgentId)) {
    for (let i = 0; i < ids.length; i += PART) {
      if (isStopping()) {
        return
      }
      discard = await discardPart(store, recorder, discard, ids.slice(i, i + PART))
      if (!discard) {
        return
      }
    }
  }
  const finished = { ...discard, finishedAt: recorder.now() }
  const isFinished = await store.transaction((within) => advance(within, discard, finished))
  if (isFinished) {
    onFinished(finished)
  }
}

/** The discard after these agents; null where another node has continued it meanwhile. */
function discardPart(
  store: Store,
  recorder: Recorder,
  discard: Discard,
  agentIds: readonly string[],
): Promise<Discard | null> {
  const { platformId, platformOwnerId } = discard
  return store.transaction(async (within) => {
    const states = await within.agentStates.findMany(agentIds)
    const concerned = [...states.values()].filter((state) => hasVoteOf(discard, state))
    const next = {
      ...discard,
      afterAgentId: agentIds.at(-1) ?? discard.afterAgentId,
      agents: discard.agents + concerned.length,
    }
    if (!(await advance(within, discard, next))) {
      return null
    }
    const reports = concerned.map(({ agentId }) =>
      discardReport({ agentId, platformId, platformOwnerId }),
    )
    await recordOwnReports(within, recorder, reports)
    return next
  })
}

function hasVoteOf({ platformId, platformOwnerId }: Discard, { evidence }: AgentState): boolean {
  return evidence.sources.some(({ voter }) => voter === platformId || voter === platformOwnerId)
}

/** Notes how far a discard is, unless it is not where it was. */
async function advance(within: Store, before: Discard, after: Discard): Promise<boolean> {
  const { platformId, requestedAt, afterAgentId } = before
  const where = { platformId, requestedAt, afterAgentId, finishedAt: null }
  return (await within.discards.update(where, after)) !== null
}
