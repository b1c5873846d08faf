import type { AgentState } from './agent-states.ts'
import type { Rows } from './rows.ts'

/**
 * The evidence of an agent after one of its events, as it would be if those that await review counted. One of
 * another model is never read.
 */
export interface QuarantinedEvidence
  extends Pick<AgentState, 'agentId' | 'seq' | 'evidence' | 'correctedAt'> {
  /** Names the events up to it that await review. */
  readonly events: string
}

export type QuarantinedEvidenceKey = Pick<QuarantinedEvidence, 'agentId'>

/** One that is of the same events and further on stays when another one is saved. */
export type QuarantinedEvidenceStore = Pick<
  Rows<QuarantinedEvidence, QuarantinedEvidenceKey, never>,
  'find' | 'save' | 'delete'
>
