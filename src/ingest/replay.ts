/** The one loop over an event log. What is made of the log is up to the visitor. */
import { addEvent } from '../domain/evidence.ts'
import { type Evidence, newEvidence } from '../domain/evidence-state.ts'
import type { Model } from '../domain/model.ts'
import { firstLink, type Link, type Registration } from './chain.ts'
import { isSame } from './digest.ts'
import { ChainError, type ChainFollower, followChain } from './follow-chain.ts'

/** An agent's log, and how to read its entries. */
export interface Log<E> {
  readonly model: Model
  readonly registration: Registration
  /** What the first entry is added to: the state after the one before it; null at registration. */
  readonly start: LogStart | null
  /** The entries in the order of receipt, a part at a time. */
  readonly parts: AsyncIterable<readonly E[]>
  /** The entry as it is folded and hashed. */
  readonly linkOf: (entry: E) => Link
  /** Whether the entry is folded: by default all that are not quarantined are. */
  readonly counts: (entry: E) => boolean
  /** What the chain is checked against; null for a log that may change while it is read, or is not whole. */
  readonly stored: StoredChain<E> | null
}

/** What has been folded before the entries of a log. */
export interface LogStart {
  readonly evidence: Evidence
}

export interface StoredChain<E> {
  /** Whether the entry counted when the chain was stored. */
  readonly counted: (entry: E) => boolean
  /** The link that is stored with the entry; null for one that is not chained. */
  readonly hashOf: (entry: E) => Uint8Array | null
  /** The last link; null where it is not known. */
  readonly end: Uint8Array | null
}

/** The last entry that is replayed, by number or by time of receipt; the whole log by default. */
export interface Until {
  readonly seq?: number
  readonly at?: number
}

export const WHOLE_LOG: Until = {}

/** One entry, and what has been folded up to and including it. */
export interface Step<E> extends Omit<Replayed<E>, 'chain'> {
  readonly entry: E
  readonly link: Link
  readonly counts: boolean
}

export interface Replayed<E> {
  readonly evidence: Evidence
  /** The chain of what was folded; null for a log that is not checked. */
  readonly chain: Uint8Array | null
  /** How many entries were folded, and the last of them. */
  readonly count: number
  readonly last: E | null
}

/** Called for every entry, quarantined ones too. A promise is awaited before the next entry. */
export type Visit<E> = (step: Step<E>) => Promise<void> | undefined

/**
 * Folds the entries of a log that count, from its start on, and checks the chain of a whole log. It
 * reads a part at a time and no further than `until`: the time grows with the log, the memory does not.
 */
export async function replay<E>(
  log: Log<E>,
  until: Until,
  visit: Visit<E> = () => undefined,
): Promise<Replayed<E>> {
  const { seq: seqMax = Infinity, at: atMax = Infinity } = until
  const chain = log.stored ? followChain(firstLink(log.registration)) : null
  let evidence = evidenceAtStart(log)
  let count = 0
  let last: E | null = null
  const replayed = () => ({ evidence, count, last, chain: chain?.folded ?? null })
  for await (const part of log.parts) {
    for (const entry of part) {
      const link = log.linkOf(entry)
      if (link.seq > seqMax || link.at > atMax) {
        chain?.end()
        return replayed()
      }
      const counts = log.counts(entry)
      if (chain && log.stored) {
        pass(chain, log.stored, { entry, link, counts })
      }
      if (counts) {
        evidence = addEvent(log.model, evidence, link)
        count += 1
        last = entry
      }
      const pending = visit({ evidence, count, last, entry, link, counts })
      if (pending) {
        await pending
      }
    }
  }
  chain?.end()
  if (log.stored?.end && !isSame(chain?.stored ?? null, log.stored.end)) {
    throw new ChainError('the log does not end where its chain does')
  }
  return replayed()
}

/** What the first entry of a log is added to. */
export function evidenceAtStart<E>({ model, registration, start }: Log<E>): Evidence {
  const { registeredAt, initialCeiling } = registration
  return start?.evidence ?? newEvidence(model, registeredAt, initialCeiling)
}

function pass<E>(
  chain: ChainFollower,
  { counted, hashOf }: StoredChain<E>,
  { entry, link, counts }: Pick<Step<E>, 'entry' | 'link' | 'counts'>,
): void {
  const stored = hashOf(entry)
  if (counted(entry)) {
    chain.pass({ link, stored, counts })
  } else if (stored) {
    throw new ChainError('it is quarantined, but was chained as one that counts', link)
  }
}
