import { createFairQueue, type FairQueue } from '../lib/fair-queue/fair-queue.ts'
import { createOutbound } from '../outbound/outbound.ts'
import type { Reading } from './kind.ts'
import { PROOFS } from './prove.ts'
import { createRequestSigners, type RequestSigners } from './request-signer.ts'

export interface IdentifiersOptions extends Pick<Reading, 'chainRpc' | 'now'> {
  /** The ranges that may be reached besides public addresses. */
  readonly webhookAllow: readonly string[]
  /** DNS servers in place of those of the machine. */
  readonly dnsServers: readonly string[]
}

/** What reads and checks names of agents in other systems. */
export interface Identifiers {
  readonly reading: Reading
  readonly signers: RequestSigners
  readonly proofs: FairQueue
}

export function createIdentifiers(options: IdentifiersOptions): Identifiers {
  const { webhookAllow: allow, dnsServers, chainRpc, now } = options
  const reading = { outbound: createOutbound({ allow, dnsServers }), chainRpc, now }
  return { reading, signers: createRequestSigners(reading), proofs: createFairQueue(PROOFS) }
}
