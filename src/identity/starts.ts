import { ceilingBy } from '../domain/ceiling.ts'
import { hasStarted, loweredStart, UNSTARTED_SCORE_MAX } from '../domain/start.ts'
import { NEW_AGENT_SCORE } from '../domain/tiers.ts'
import { HOUR_MS } from '../domain/time.ts'
import { startReport } from '../ingest/own-report.ts'
import { type Recorder, recordOwnReports } from '../ingest/record-reports.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { failuresOf } from '../lib/each-agent.ts'
import { throwFirst } from '../lib/failures.ts'
import type { AgentState, Store } from '../store/store.ts'

/** Owners whose limits are known: a hundred bytes each. */
const OWNERS_MAX = 10_000

/** For how long. An agent that has not started any more, because reports were discarded, is limited after this time. */
const KNOWN_MS = HOUR_MS

/** No agent of an owner that had not started had a higher ceiling at this time. */
interface KnownLimit {
  readonly ceiling: number
  readonly at: number
}

/** Limits the agents that an owner has in reserve by its worst agent. */
export interface StartLimits {
  /**
   * Lowers the ceilings of an owner's agents that have not started to the score of one that fell: an agent that was
   * registered in reserve is no fresh start either. Yields between parts of the agents, so that an owner with tens of
   * thousands of them holds up no other.
   */
  limit(agentId: string): AsyncGenerator<void, void>
}

/**
 * The agents of an owner are read only if the agent fell lower than any other one before it: what is registered later
 * starts as low. So an owner of many agents that fall and rise does not have all of them read each time.
 */
export function createStartLimits(store: Store, recorder: Recorder): StartLimits {
  const known = createBoundedMap<string, KnownLimit>(OWNERS_MAX)

  function isKnown(ownerId: string, ceiling: number): boolean {
    const limit = known.get(ownerId)
    return limit !== undefined && limit.ceiling <= ceiling && recorder.now() - limit.at < KNOWN_MS
  }

  return {
    async *limit(agentId) {
      const fallen = await store.agentStates.find({ agentId })
      if (!fallen || fallen.score >= NEW_AGENT_SCORE || !hasStarted(fallen.evidence)) {
        return
      }
      const { ownerId, score } = fallen
      const ceiling = ceilingBy(score)
      if (isKnown(ownerId, ceiling)) {
        return
      }
      const at = recorder.now()
      yield* limitStarts(store, recorder, fallen)
      known.set(ownerId, { ceiling, at })
    },
  }
}

async function* limitStarts(
  store: Store,
  recorder: Recorder,
  { ownerId, score }: AgentState,
): AsyncGenerator<void, void> {
  await registrationsEnded(store, ownerId)
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
  throwFirst(failures)
}

/**
 * Waits for registrations that have read the owner's lowest score before the agent fell: each locks the owner until its
 * agent can be found.
 */
async function registrationsEnded(store: Store, ownerId: string): Promise<void> {
  await store.transaction((within) => within.owners.find({ id: ownerId }, { lock: 'share' }))
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
  const agent = await within.agentStates.find({ agentId }, { lock: 'wait' })
  if (agent?.ownerId !== ownerId || agent.status === 'deactivated') {
    return
  }
  const ceiling = loweredStart(agent.evidence, score)
  if (ceiling !== null) {
    await recordOwnReports(within, recorder, [startReport({ agentId, ownerId, ceiling })])
  }
}
