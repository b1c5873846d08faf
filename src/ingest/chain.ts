/**
 * The hash chain of an agent's events. Link 0 is the hash of the agent's registration; link n is the
 * hash of link n−1 and of the n-th event that came to count: when it was received, or when a review released
 * it. So nothing is ever chained again. The last link and the events together show whether these are all
 * the events, in the order in which they were folded, to the last bit.
 */
import { canonicalJson } from '../domain/canonical-json.ts'
import type { CountedEvent } from '../domain/evidence.ts'
import { sha256 } from './digest.ts'

/** What the evidence of a new agent is made of. */
export interface Registration {
  readonly agentId: string
  readonly registeredAt: number
  readonly initialCeiling: number
}

/** An event that counts, with its id and its number among all events of its agent. */
export interface Link extends CountedEvent {
  /** Left out where the reporter votes for itself. */
  readonly voter?: string
  readonly id: string
  readonly seq: number
  /** Marks an event of a past; left out for an event that was received as it happened. */
  readonly imported?: true
  /** Of an event that a review released: its number in the chain, from 1 on. Others follow each other. */
  readonly chainIndex?: number
}

/** Names the kind of text that is hashed, so that no other hash can be taken for a chain. */
const FORM = 'standing-chain-1'

export function firstLink({ agentId, registeredAt, initialCeiling }: Registration): Uint8Array {
  return sha256(canonicalJson({ form: FORM, agentId, registeredAt, initialCeiling }))
}

/** SHA-256 of the 32 bytes of the link before, and of the event's canonical JSON in UTF-8. */
export function nextLink(previous: Uint8Array, event: Link): Uint8Array {
  return sha256(Buffer.concat([previous, Buffer.from(linkText(event))]))
}

/** The same as `canonicalJson(event)`. The fields are spelt out, because sorting them took twice as long. */
export function linkText(event: Link): string {
  const { at, chainIndex, data, hardness, id, imported, reporter, reporterWeight, share, voter } =
    event
  return (
    `{"at":${at}${numberField('chainIndex', chainIndex)},"data":${canonicalJson(data)}` +
    `${numberField('hardness', hardness)},"id":${canonicalJson(id)}` +
    `${imported === undefined ? '' : `,"imported":${imported}`},"reporter":${canonicalJson(reporter)}` +
    `${numberField('reporterWeight', reporterWeight)},"self":${event.self},"seq":${event.seq}` +
    `${numberField('share', share)},"type":"${event.type}"` +
    `${voter === undefined ? '' : `,"voter":${canonicalJson(voter)}`}}`
  )
}

function numberField(name: string, value: number | undefined): string {
  return value === undefined ? '' : `,"${name}":${canonicalJson(value)}`
}
