import type { SnapshotTrigger } from './agent.ts'
import type { Disputed } from './dispute.ts'
import type { Dimension } from './event.ts'

/** An agent's score at the moment it changed. */
export interface Snapshot {
  readonly id: string
  readonly agentId: string
  /** 1, 2, 3… for each agent. */
  readonly number: number
  /** The last event folded into it. */
  readonly seq: number
  readonly score: number
  readonly eventCount: number
  readonly breakdown: Readonly<Record<Dimension, unknown>>
  readonly disputed: Disputed
  readonly exposureLimit: number | null
  readonly trigger: SnapshotTrigger
  readonly modelVersion: string
  readonly createdAt: number
  /** When a review changed the events that it is made of. */
  readonly correctedAt: number | null
}
