import type { Attribution, Strongest } from '../domain/attribution.ts'
import type { AgentState } from './agent-states.ts'
import type { Derived } from './rows.ts'

/**
 * An agent's state after some of its events, corrected by later reviews. A state of the past is folded from
 * the last checkpoint before it: a bounded number of events, however long the log is.
 */
export interface Checkpoint
  extends Pick<AgentState, 'agentId' | 'evidence' | 'quarantinedCount' | 'correctedAt'> {
  /** The last event before it, and when that was received. */
  readonly seq: number
  readonly at: number
}

/** A checkpoint with the attribution of the score up to it. */
export interface AttributedCheckpoint extends Checkpoint {
  readonly attribution: Attribution
  /** The strongest events since the attributed checkpoint before it. */
  readonly strongest: Strongest
}

/**
 * Checkpoints are about so many events apart. A question about the past folds at most as many: a few
 * milliseconds of work.
 */
export const CHECKPOINT_EVENTS = 512

/** The latest that a checkpoint may be, by number or by time of its last event. */
export interface CheckpointBound {
  readonly seq?: number
  readonly at?: number
}

/** Checkpoints by the model in force; those of another model are never read, and are replaced too. */
export interface CheckpointStore extends Derived<Checkpoint> {
  /** The last one within the bound or, with `isAttributed`, the last that is attributed, with its attribution. */
  last(
    agentId: string,
    bound: CheckpointBound,
    which?: { readonly isAttributed: boolean },
  ): Promise<(Checkpoint & { readonly attribution?: Attribution }) | null>
  /** The numbers of those after an event and within the bound, in ascending order. */
  numbers(agentId: string, after: number, bound: CheckpointBound): Promise<readonly number[]>
  /**
   * For the attributed checkpoints after one event, up to another one: the number of the first, and the strongest
   * events of the parts of the log that follow it and have the strongest, in their order. Null without such
   * a checkpoint.
   */
  strongest(
    agentId: string,
    after: number,
    until: number,
  ): Promise<{ readonly first: number; readonly parts: readonly Strongest[] } | null>
  /**
   * Adds checkpoints that a reader made on its way through the log, or their attributions; none of them
   * if a review or another model changed the past since the state was read, or does so at this moment:
   * then false.
   */
  add(
    read: AgentState,
    checkpoints: readonly (Checkpoint | AttributedCheckpoint)[],
  ): Promise<boolean>
}
