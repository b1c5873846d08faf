import type { AgentStatus } from '../domain/agent.ts'
import type { Evidence } from '../domain/evidence.ts'
import type { ReporterHour } from '../domain/limits.ts'
import type { BehaviourProfile } from '../fraud/profile.ts'

/** All that is needed to decide on an agent's next event, to fold it and to score the agent. */
export interface AgentState {
  readonly agentId: string
  readonly ownerId: string
  readonly status: AgentStatus
  readonly evidence: Evidence
  readonly profile: BehaviourProfile
  /** The score last published. */
  readonly score: number
  /** Whether it was published as disputed. */
  readonly isDisputed: boolean
  /** How many snapshots were written. */
  readonly snapshots: number
  /** The number of the last event. */
  readonly seq: number
  /** The last hash of the chain of the events that count. */
  readonly chain: Uint8Array
  readonly quarantinedCount: number
  /** When a review last made earlier events count; null if none did. It names that correction. */
  readonly correctedAt: number | null
  /** The events of the current hour, by reporter. */
  readonly reporterHours: readonly ReporterHour[]
  /** The highest score claimed by a score credential in force; 0 without one. */
  readonly credentialFloor: number
  /** The model that folded all of the evidence; empty where more than one did. */
  readonly modelVersion: string
  /** The agent that replaced it. */
  readonly successorId: string | null
  /** The agent that it acts for, and whether others act for it. */
  readonly parentId: string | null
  readonly isParent: boolean
  readonly updatedAt: number
}
