import type { LoggedEvent, RecordedEvent } from '../domain/agent.ts'
import { stillComputing, tooManyFolds } from '../domain/error.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import { MODEL_VERSION } from '../domain/model.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { AgentState, Store } from '../store/store.ts'
import type { BackgroundFolds } from './background-folds.ts'
import type { Reading } from './event-log.ts'
import { evidenceIf, FOLDED_MAX, type Progress } from './evidence-if.ts'

/** Agents as they would be without one of their events. */
export interface ScoresWithout {
  /** Throws where it has to be computed first, which it then is in the background. */
  evidenceWithout(
    agentState: AgentState,
    event: RecordedEvent,
    asker: { readonly account: string } & Pick<Reading, 'signal'>,
  ): Promise<Evidence>
}

/** How far the latest answers came: some kilobytes each. */
const KEPT_MAX = 256

export function createScoresWithout(store: Store, folds: BackgroundFolds): ScoresWithout {
  const kept = createBoundedMap<string, { readonly tag: string; readonly progress: Progress }>(
    KEPT_MAX,
  )

  async function suppose(agentState: AgentState, event: RecordedEvent, signal?: Reading['signal']) {
    const tag = tagOf(agentState)
    const before = kept.get(event.id)
    const known = before?.tag === tag && before.progress.seq <= agentState.seq ? before : null
    const { evidence, progress } = await evidenceIf(store, agentState, {
      changed: [event.seq],
      counts: ({ id, isQuarantined }: LoggedEvent) => id !== event.id && !isQuarantined,
      known: known?.progress ?? null,
      eventsMax: FOLDED_MAX,
      signal,
    })
    if (progress) {
      kept.set(event.id, { tag, progress })
    }
    return evidence
  }

  return {
    async evidenceWithout(agentState, event, { account, signal }) {
      if (event.isQuarantined) {
        return agentState.evidence
      }
      const evidence = await suppose(agentState, event, signal)
      if (evidence === null) {
        const isStarted = folds.start(`without ${event.id}`, account, async () => {
          const latest = await store.agentStates.find({ agentId: event.agentId })
          return latest === null || (await suppose(latest, event)) !== null
        })
        throw isStarted ? stillComputing() : tooManyFolds()
      }
      return evidence
    },
  }
}

/** The log as reviews and models have left it. */
function tagOf({ correctedAt, modelVersion }: AgentState): string {
  return [MODEL_VERSION, modelVersion, correctedAt].join(' ')
}
