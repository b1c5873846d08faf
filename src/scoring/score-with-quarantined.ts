import { createHash } from 'node:crypto'
import type { LoggedEvent } from '../domain/agent.ts'
import { stillComputing, tooManyFolds } from '../domain/error.ts'
import { MODEL_VERSION } from '../domain/model.ts'
import type { AgentState, QuarantinedEvidence, Store } from '../store/store.ts'
import type { BackgroundFolds } from './background-folds.ts'
import { isCounted, type Reading } from './event-log.ts'
import { evidenceIf, FOLDED_MAX, type Progress } from './evidence-if.ts'

/**
 * Agents as they would be if their quarantined events counted. How far that was folded is stored, and put
 * forward in the background, so that an answer folds a bounded number of events.
 */
export interface QuarantinedScores {
  /** Throws where it has to be computed first, which it then is in the background. */
  stateWith(
    agentState: AgentState,
    asker: { readonly account: string } & Pick<Reading, 'signal'>,
  ): Promise<StateWithQuarantined>
  /** Folds what the agent received lately, in the background. */
  keepUp(agentId: string): void
}

export interface StateWithQuarantined {
  readonly agentState: AgentState
  /** How many events await a decision. */
  readonly quarantined: number
}

export function createQuarantinedScores(store: Store, folds: BackgroundFolds): QuarantinedScores {
  async function suppose(agentState: AgentState, signal?: Reading['signal']) {
    const { agentId, seq } = agentState
    const awaiting = await store.reviews.awaitingReview(agentId)
    const changed = awaiting.filter((one) => one <= seq)
    const stored = changed.length > 0 ? await store.quarantinedEvidence.find({ agentId }) : null
    const known = stored && isAbout(stored, agentState, changed) ? stored : null
    const counts = (event: LoggedEvent) => isCounted(event) || awaitsDecision(event)
    const wanted = { changed, counts, known, eventsMax: FOLDED_MAX, signal }
    return { changed, known, ...(await evidenceIf(store, agentState, wanted)) }
  }

  /** Whether it came to the last event. */
  async function putForward(agentId: string): Promise<boolean> {
    const agentState = await store.agentStates.find({ agentId })
    // What another model folded is migrated first.
    if (agentState?.modelVersion !== MODEL_VERSION) {
      return true
    }
    const { changed, known, evidence, progress } = await suppose(agentState)
    if (changed.length === 0) {
      await store.quarantinedEvidence.delete({ agentId })
    } else if (progress && progress !== known) {
      await store.quarantinedEvidence.save(basedOn(progress, agentState, changed))
    }
    return evidence !== null
  }

  const start = (agentId: string, account: string) =>
    folds.start(`quarantined ${agentId}`, account, () => putForward(agentId))

  return {
    async stateWith(agentState, { account, signal }) {
      const { changed, evidence } = await suppose(agentState, signal)
      if (evidence === null) {
        throw start(agentState.agentId, account) ? stillComputing() : tooManyFolds()
      }
      const quarantinedCount = agentState.quarantinedCount - changed.length
      return {
        agentState: { ...agentState, evidence, quarantinedCount },
        quarantined: changed.length,
      }
    },
    // Each agent has its turn, like an account.
    keepUp: (agentId) => void start(agentId, agentId),
  }
}

/** Whether it was folded from the log as reviews have left it, with the events that await review now. */
function isAbout(
  stored: QuarantinedEvidence,
  { seq, correctedAt, modelVersion }: AgentState,
  changed: readonly number[],
): boolean {
  return (
    modelVersion === MODEL_VERSION &&
    stored.seq <= seq &&
    stored.correctedAt === correctedAt &&
    stored.events === digestOf(changed, stored)
  )
}

function basedOn(
  progress: Progress,
  { agentId, correctedAt }: AgentState,
  changed: readonly number[],
): QuarantinedEvidence {
  const { seq, evidence } = progress
  return { agentId, seq, evidence, correctedAt, events: digestOf(changed, progress) }
}

/** Of the quarantined events that were passed. */
function digestOf(changed: readonly number[], { seq }: Pick<Progress, 'seq'>): string {
  const passed = changed.filter((one) => one <= seq)
  return createHash('sha256').update(passed.join(' ')).digest('base64url')
}

function awaitsDecision({ review }: LoggedEvent): boolean {
  return review?.status === 'pending' || review?.status === 'appealed'
}
