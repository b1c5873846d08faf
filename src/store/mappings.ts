import type { Mapping } from '../domain/mapping.ts'
import type { Listed, Rows } from './rows.ts'

/** How the sender of payloads signs them, with the secret it shares with the platform. */
export const SIGNATURE_SCHEMES = ['stripe', 'github', 'standard_webhooks'] as const

export type SignatureScheme = (typeof SIGNATURE_SCHEMES)[number]

export interface MappingRow {
  readonly platformId: string
  readonly name: string
  readonly mapping: Mapping
  /** A payload that becomes a report: it was tried when the mapping was stored. */
  readonly sample: unknown
  readonly signature: { readonly scheme: SignatureScheme; readonly sealedSecret: Uint8Array } | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** Values of a source, such as the id of a payment, with the agents they stand for. */
export interface RememberedAgents {
  readonly platformId: string
  readonly name: string
  readonly values: readonly string[]
}

export type MappingKey = Pick<MappingRow, 'platformId' | 'name'>

/** Mappings, listed in the order of their names. What a mapping remembered is deleted with it. */
export interface MappingStore
  extends Pick<Rows<MappingRow, MappingKey>, 'save' | 'find' | 'delete'>,
    Listed<MappingRow, string> {
  remember(
    remembered: RememberedAgents & { readonly agentId: string; readonly expiresAt: number },
  ): Promise<void>
  /** The agents by the values that are remembered. */
  recall(remembered: RememberedAgents): Promise<ReadonlyMap<string, string>>
}
