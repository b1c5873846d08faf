import type { Timestamp } from './wire.ts'

export type AgentStatus = 'active' | 'suspended' | 'deactivated'
export type Metadata = Readonly<Record<string, unknown>>

/** What anyone with a key may know of an agent. */
export interface PublicAgent {
  readonly id: string
  readonly displayName: string
  readonly status: AgentStatus
  readonly createdAt: Timestamp
}
export interface Agent extends PublicAgent {
  readonly ownerId: string
  readonly metadata: Metadata
  readonly updatedAt: Timestamp
}
/** The key is told this once and never again. */
export interface AgentWithKey extends Agent {
  readonly apiKey: string
}
export interface AgentInput {
  /** 1 to 100 characters. */
  readonly displayName: string
  /** At most 16 KiB. */
  readonly metadata?: Metadata | undefined
}
/** An agent's or a platform's new key, told this once and never again. */
export interface RotatedKey {
  readonly apiKey: string
  /** Until then the key before works too. */
  readonly previousKeyExpiresAt: Timestamp
}
export interface KeyRotation {
  /** How long the key before keeps working; an hour unless told. */
  readonly overlapSeconds?: number | undefined
}
/** A given `metadata` replaces the whole. */
export type AgentPatch = Partial<AgentInput>
