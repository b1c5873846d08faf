import type { LoggedEvent } from '../domain/agent.ts'
import { MODEL_VERSION } from '../domain/model.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { AgentState, Store } from '../store/store.ts'
import { isCounted, type Reading } from './event-log.ts'
import { evidenceIf, type Merge } from './evidence-if.ts'

/**
 * Agents as they would be if their quarantined events counted. From where that makes no difference any more is
 * remembered: the next answer about the agent folds what came since.
 */
export interface QuarantinedScores {
  stateWith(
    agentState: AgentState,
    reading?: Pick<Reading, 'signal'>,
  ): Promise<StateWithQuarantined>
}

export interface StateWithQuarantined {
  readonly agentState: AgentState
  /** How many events await a decision. */
  readonly quarantined: number
}

/** Some hundred bytes each. */
const KEPT_MAX = 10_000

export function createQuarantinedScores(store: Store): QuarantinedScores {
  const kept = createBoundedMap<string, { readonly tag: string; readonly merge: Merge }>(KEPT_MAX)
  return {
    async stateWith(agentState, { signal } = {}) {
      const { agentId } = agentState
      const awaiting = await store.events.awaitingReview(agentId)
      const changed = awaiting.filter((seq) => seq <= agentState.seq)
      const before = kept.get(agentId)
      const known = before?.tag === tagOf(agentState, changed, before?.merge) ? before.merge : null
      const counts = (event: LoggedEvent) => isCounted(event) || awaitsDecision(event)
      const { evidence, merge } = await evidenceIf(store, agentState, {
        changed,
        counts,
        known,
        signal,
      })
      if (merge) {
        kept.set(agentId, { tag: tagOf(agentState, changed, merge), merge })
      }
      const quarantinedCount = agentState.quarantinedCount - changed.length
      return {
        agentState: { ...agentState, evidence, quarantinedCount },
        quarantined: changed.length,
      }
    },
  }
}

/** All that a merge depends on: the events that it is about, and the log up to it as reviews have left it. */
function tagOf(
  { correctedAt, modelVersion }: AgentState,
  changed: readonly number[],
  merge: Merge | undefined,
): string {
  const before = changed.filter((seq) => seq <= (merge?.seq ?? 0))
  return [MODEL_VERSION, modelVersion, correctedAt, ...before].join(' ')
}

function awaitsDecision({ review }: LoggedEvent): boolean {
  return review?.status === 'pending' || review?.status === 'appealed'
}
