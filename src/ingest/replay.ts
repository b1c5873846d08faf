/** The one loop over an event log. What is made of the log is up to the visitor. */
import { addEvent, type Evidence, newEvidence } from '../domain/evidence.ts'
import type { Model } from '../domain/model.ts'
import { firstLink, type Link, nextLink, type Registration } from './chain.ts'
import { isSame } from './digest.ts'

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
  /** What the chain is checked against; null for a log that may change while it is read. */
  readonly stored: StoredChain<E> | null
}

/** What has been folded before the entries of a log, and the chain of that. */
export interface LogStart {
  readonly evidence: Evidence
  readonly chain: Uint8Array
  /** The chain as it was stored, where that is another one. */
  readonly storedChain?: Uint8Array
}

export interface StoredChain<E> {
  /** Whether the entry counted when the chain was stored. */
  readonly counted: (entry: E) => boolean
  readonly linkOf: (entry: E) => Uint8Array | null
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
export interface Step<E> extends Replayed<E> {
  readonly entry: E
  readonly link: Link
  readonly counts: boolean
}

export interface Replayed<E> {
  readonly evidence: Evidence
  /** The chain of what was folded, and that which was stored; as at the start in a log that is not checked. */
  readonly chain: Uint8Array
  readonly storedChain: Uint8Array
  /** How many entries were folded, and the last of them. */
  readonly count: number
  readonly last: E | null
}

/** Called for every entry, quarantined ones too. A promise is awaited before the next entry. */
export type Visit<E> = (step: Step<E>) => Promise<void> | undefined

/** The log is not the one that was chained when its events were folded. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
  /** The first entry that differs; null where the end is missing. */
  readonly entry: Pick<Link, 'id' | 'seq'> | null

  constructor(problem: string, entry: ChainError['entry'] = null) {
    super(problem)
    this.entry = entry
  }
}

/**
 * Folds the entries of a log that count, from its start on, and checks the chain. It
 * reads a part at a time and no further than `until`: the time grows with the log, the memory does not.
 */
export async function replay<E>(
  log: Log<E>,
  until: Until,
  visit: Visit<E> = () => undefined,
): Promise<Replayed<E>> {
  const { seq: seqMax = Infinity, at: atMax = Infinity } = until
  const start = log.start ?? registered(log)
  let chains: Chains = { stored: start.storedChain ?? start.chain, folded: start.chain }
  let { evidence } = start
  let count = 0
  let last: E | null = null
  for await (const part of log.parts) {
    for (const entry of part) {
      const link = log.linkOf(entry)
      if (link.seq > seqMax || link.at > atMax) {
        return replayed(evidence, chains, count, last)
      }
      const counts = log.counts(entry)
      chains = log.stored ? nextChains(chains, entry, link, counts, log.stored) : chains
      if (counts) {
        evidence = addEvent(log.model, evidence, link)
        count += 1
        last = entry
      }
      const pending = visit({ ...replayed(evidence, chains, count, last), entry, link, counts })
      if (pending) {
        await pending
      }
    }
  }
  if (log.stored?.end && !isSame(chains.stored, log.stored.end)) {
    throw new ChainError('the log does not end where its chain does')
  }
  return replayed(evidence, chains, count, last)
}

function registered<E>({ model, registration }: Log<E>): LogStart {
  const { registeredAt, initialCeiling } = registration
  const evidence = newEvidence(model, registeredAt, initialCeiling)
  return { evidence, chain: firstLink(registration) }
}

function replayed<E>(
  evidence: Evidence,
  { folded: chain, stored: storedChain }: Chains,
  count: number,
  last: E | null,
): Replayed<E> {
  return { evidence, chain, storedChain, count, last }
}

/** The chain as it was stored, and that of what is folded now. Mostly they are one. */
interface Chains {
  readonly stored: Uint8Array
  readonly folded: Uint8Array
}

function nextChains<E>(
  { stored, folded }: Chains,
  entry: E,
  link: Link,
  counts: boolean,
  { counted, linkOf }: StoredChain<E>,
): Chains {
  const storedLink = linkOf(entry)
  if (!counted(entry)) {
    if (storedLink) {
      throw new ChainError('it is quarantined, but was chained as one that counts', link)
    }
    return { stored, folded: counts ? nextLink(folded, link) : folded }
  }
  const next = nextLink(stored, link)
  if (!isSame(next, storedLink)) {
    throw new ChainError('it is not what was chained when it was folded', link)
  }
  if (!counts) {
    return { stored: next, folded }
  }
  return { stored: next, folded: stored === folded ? next : nextLink(folded, link) }
}
