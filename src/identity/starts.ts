import { loweredStart, UNSTARTED_SCORE_MAX } from '../domain/start.ts'
import { startReport } from '../ingest/own-report.ts'
import { type Recorder, recordOwnReports } from '../ingest/record-reports.ts'
import type { Store } from '../store/store.ts'
import { initialCeiling } from './agents.ts'

/**
 * Lowers the ceilings of an owner's agents that have not started to what a new agent of that owner would start
 * with: an agent that was registered in reserve is no fresh start either.
 */
export async function limitStarts(
  store: Store,
  recorder: Recorder,
  agentId: string,
): Promise<void> {
  const ownerId = (await store.agents.find(agentId))?.ownerId
  if (ownerId === undefined) {
    return
  }
  const worst = await initialCeiling(store, ownerId, recorder.now())
  if (worst === undefined) {
    return
  }
  const filter = { ownerId, scoreMax: UNSTARTED_SCORE_MAX }
  for await (const ids of store.agentStates.agentIds(filter)) {
    const states = await store.agentStates.findMany(ids)
    for (const { agentId, evidence } of states.values()) {
      if (loweredStart(evidence, worst) !== null) {
        await store.transaction((within) =>
          limitStart(within, recorder, { agentId, ownerId, worst }),
        )
      }
    }
  }
}

interface Start {
  readonly agentId: string
  readonly ownerId: string
  /** The worst score of the owner's agents. */
  readonly worst: number
}

/** Reads the agent again when it is locked: it may have started, or passed to another owner. */
async function limitStart(
  within: Store,
  recorder: Recorder,
  { agentId, ownerId, worst }: Start,
): Promise<void> {
  const agent = await within.agentStates.find(agentId, { lock: 'wait' })
  if (agent?.ownerId !== ownerId || agent.status === 'deactivated') {
    return
  }
  const ceiling = loweredStart(agent.evidence, worst)
  if (ceiling !== null) {
    await recordOwnReports(within, recorder, [startReport({ agentId, ownerId, ceiling })])
  }
}
