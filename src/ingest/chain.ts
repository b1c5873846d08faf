/**
 * The hash chain of an agent's events: chain 0 is the hash of its registration, chain n that of
 * chain n−1 and the n-th event that counts, as it counts. Whoever has the last link and the events
 * can tell whether they are all the events, in the order folded, to the last bit.
 */

import { hash } from 'node:crypto'
import { canonicalJson } from '../domain/canonical-json.ts'
import type { CountedEvent } from '../domain/evidence.ts'
import { MODEL } from '../domain/model.ts'
import { modelFingerprint } from '../domain/model-fingerprint.ts'

/** What a fresh agent's evidence is made of. */
export interface Registration {
  readonly agentId: string
  readonly registeredAt: number
  readonly initialCeiling: number
}

/** A counted event with its name, and its number among all of its agent's events. */
export interface Link extends CountedEvent {
  readonly id: string
  readonly seq: number
}

/** Says what is hashed, so that no other hash of ours is ever mistaken for a chain. */
const FORM = 'standing-chain-1'

export function firstLink({ agentId, registeredAt, initialCeiling }: Registration): Uint8Array {
  return sha256(canonicalJson({ form: FORM, agentId, registeredAt, initialCeiling }))
}

/** SHA-256 of the 32 bytes of the chain so far, and of the event's canonical JSON in UTF-8. */
export function nextLink(chain: Uint8Array, event: Link): Uint8Array {
  return hash('sha256', Buffer.concat([chain, Buffer.from(canonicalJson(event))]), 'buffer')
}

/** Names the model by its figures, in base64url. */
export function modelHash(): string {
  return base64url(sha256(modelFingerprint(MODEL)))
}

export function sha256(text: string): Uint8Array {
  return hash('sha256', text, 'buffer')
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

export function isSame(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a !== null && b !== null && Buffer.compare(a, b) === 0
}
