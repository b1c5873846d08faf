import { hasStarted, loweredStart, UNSTARTED_SCORE_MAX } from '../domain/start.ts'
import { NEW_AGENT_SCORE } from '../domain/tiers.ts'
import { startReport } from '../ingest/own-report.ts'
import { type Recorder, recordOwnReports } from '../ingest/record-reports.ts'
import { failuresOf } from '../lib/each-agent.ts'
import type { Store } from '../store/store.ts'

/**
 * Lowers the ceilings of an owner's agents that have not started to the score of one that fell: an agent that was
 * registered in reserve is no fresh start either. Yields between parts of the agents, so that an owner with tens of
 * thousands of them holds up no other.
 */
export async function* limitStarts(
  store: Store,
  recorder: Recorder,
  agentId: string,
): AsyncGenerator<void, void> {
  const fallen = await store.agentStates.find(agentId)
  if (!fallen || fallen.score >= NEW_AGENT_SCORE || !hasStarted(fallen.evidence)) {
    return
  }
  const { ownerId, score } = fallen
  const filter = { ownerId, scoreMax: UNSTARTED_SCORE_MAX }
  const failures: unknown[] = []
  const limit = (agentId: string) =>
    store.transaction((within) => limitStart(within, recorder, { agentId, ownerId, score }))
  let isFirst = true
  for await (const ids of store.agentStates.agentIds(filter)) {
    if (!isFirst) {
      yield
    }
    isFirst = false
    const states = await store.agentStates.findMany(ids)
    const higher = [...states.values()].filter(
      ({ evidence }) => loweredStart(evidence, score) !== null,
    )
    const agentIds = higher.map((one) => one.agentId)
    failures.push(...(await failuresOf(agentIds, limit)))
  }
  if (failures.length > 0) {
    throw failures[0]
  }
}

interface Start {
  readonly agentId: string
  readonly ownerId: string
  /** Of the agent that fell. */
  readonly score: number
}

/** Reads the agent again when it is locked: it may have started, or passed to another owner. */
async function limitStart(
  within: Store,
  recorder: Recorder,
  { agentId, ownerId, score }: Start,
): Promise<void> {
  const agent = await within.agentStates.find(agentId, { lock: 'wait' })
  if (agent?.ownerId !== ownerId || agent.status === 'deactivated') {
    return
  }
  const ceiling = loweredStart(agent.evidence, score)
  if (ceiling !== null) {
    await recordOwnReports(within, recorder, [startReport({ agentId, ownerId, ceiling })])
  }
}
