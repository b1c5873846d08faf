/**
 * Verifies a receipt against an export of the events, without the service: it needs the two texts,
 * the model of this program and, if given, the keys.
 */

import {
  type CompactVerifyGetKey,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  type JSONWebKeySet,
} from 'jose'
import { canonicalJson } from '../domain/canonical-json.ts'
import { LOG_TYPES } from '../domain/event.ts'
import { MODEL } from '../domain/model.ts'
import { ChainError } from '../ingest/follow-chain.ts'
import { type Log, type Replayed, replay, WHOLE_LOG } from '../ingest/replay.ts'
import { committed } from '../ingest/text-commitment.ts'
import { base64url } from '../lib/base64url.ts'
import { ALGORITHM } from '../signing/keys.ts'
import type { ExportedEvent } from './export.ts'
import { modelHash, provenBy, RECEIPT_TYPE, type ReceiptPayload } from './receipt.ts'

export interface Verdict {
  /** Null when everything matches; otherwise what does not, in words. */
  readonly problem: string | null
  readonly receipt: ReceiptPayload | null
  /** The first event that differs, and its line in the export, where one can be named. */
  readonly event: { readonly id: string; readonly line: number } | null
  /** Events in the export that began to count after the receipt. */
  readonly later: number
}

export interface Proof {
  /** A JWS, or the service's JSON answer around one. */
  readonly receipt: string
  /** The export, line by line. */
  readonly lines: AsyncIterable<string> | Iterable<string>
  /** The keys to trust; null does not check the signature. */
  readonly keys: JSONWebKeySet | null
}

class Mismatch extends Error {
  override readonly name = 'Mismatch'
  readonly event: Verdict['event']

  constructor(problem: string, event: Verdict['event'] = null) {
    super(problem)
    this.event = event
  }
}

export async function verifyProof({ receipt, lines, keys }: Proof): Promise<Verdict> {
  let payload: ReceiptPayload | null = null
  try {
    payload = await readReceipt(jwsOf(receipt), keys)
    checkModel(payload)
    const later = await checkEvents(payload, lines)
    return { problem: null, receipt: payload, event: null, later }
  } catch (error) {
    if (!(error instanceof Mismatch)) {
      throw error
    }
    return { problem: error.message, receipt: payload, event: error.event, later: 0 }
  }
}

function jwsOf(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{')) {
    return trimmed
  }
  try {
    const { receipt, payload } = JSON.parse(trimmed) as { receipt?: unknown; payload?: unknown }
    const jws = String(receipt)
    if (payload === undefined || canonicalJson(payload) === canonicalJson(decodeJwt(jws))) {
      return jws
    }
  } catch {
    throw new Mismatch('the receipt is neither a JWS nor JSON with one as `receipt`')
  }
  throw new Mismatch('the `payload` that can be read is not what the `receipt` beside it says')
}

async function readReceipt(jws: string, keys: JSONWebKeySet | null): Promise<ReceiptPayload> {
  try {
    if (!keys) {
      return decodeJwt(jws) as unknown as ReceiptPayload
    }
    const algorithms = [ALGORITHM]
    const { payload, protectedHeader } = await compactVerify(jws, keyOf(keys), { algorithms })
    if (protectedHeader.typ !== RECEIPT_TYPE) {
      throw new Error(`its type is ${protectedHeader.typ}`)
    }
    return JSON.parse(Buffer.from(payload).toString()) as ReceiptPayload
  } catch (error) {
    throw new Mismatch(`the receipt does not verify: ${(error as Error).message}`)
  }
}

/** Found by the thumbprint alone: after a move the service names its keys by its new address. */
function keyOf({ keys }: JSONWebKeySet): CompactVerifyGetKey {
  return (header, token) => {
    const { kid } = header
    if (kid === undefined) {
      return createLocalJWKSet({ keys })(header, token)
    }
    const named = keys.filter((key) => thumbprintIn(key.kid) === thumbprintIn(kid))
    return createLocalJWKSet({ keys: named.map((key) => ({ ...key, kid })) })(header, token)
  }
}

function thumbprintIn(kid = ''): string | undefined {
  return kid.split('#').at(-1)
}

/** Another model gives another score of the same events, and proves nothing about this one. */
function checkModel({ model, score }: ReceiptPayload): void {
  const ours = modelHash()
  if (model?.hash === ours) {
    return
  }
  throw new Mismatch(
    `the receipt is by model ${score?.modelVersion} (${model?.hash}), and this program has ` +
      `another one (${ours}); verify with the release that signed it`,
  )
}

/**
 * Folds the events that counted at the time of the receipt: as many as it says, in the order of the chain.
 * Returns how many began to count after it.
 */
async function checkEvents(receipt: ReceiptPayload, lines: Proof['lines']): Promise<number> {
  let line = 0
  let later = 0
  const chainIndexOf = chainIndexes()
  /** Where events were read that were chained later. */
  const releasedOn = new Map<string, number>()
  const log: Log<ExportedEvent> = {
    model: MODEL,
    registration: receipt.registration,
    start: null,
    parts: eventsIn(lines, (number) => {
      line = number
    }),
    linkOf: ({ chain: _, countedSince: __, texts: ___, ...link }) => link,
    counts: (event) => chainIndexOf(event) <= receipt.events,
    // The chain of the export covers all of its events, that of the receipt those that counted then.
    stored: { counted: () => true, hashOf: ({ chain }) => bytesOf(chain), end: null },
  }
  const replayed = await replay(log, WHOLE_LOG, ({ entry, counts }) => {
    later += counts ? 0 : 1
    if (entry.chainIndex !== undefined) {
      releasedOn.set(entry.id, line)
    }
  }).catch((error: unknown) => {
    if (!(error instanceof ChainError)) {
      throw error
    }
    throw changedEvent(error, releasedOn.get(error.entry?.id ?? '') ?? line)
  })
  checkEnd(receipt, replayed)
  return later
}

/** Numbers events in the order of the chain: released events have a number, the others get the rest. */
function chainIndexes(): (event: ExportedEvent) => number {
  const released = new Set<number>()
  let last = 0
  return ({ chainIndex }) => {
    if (chainIndex !== undefined) {
      released.add(chainIndex)
      return chainIndex
    }
    do {
      last += 1
    } while (released.has(last))
    return last
  }
}

function changedEvent({ entry }: ChainError, line: number): Mismatch {
  const id = entry?.id ?? ''
  return new Mismatch(
    `event ${id} (line ${line}) is the first that differs from what was chained: it was changed, ` +
      'or an event before it is missing, added or out of place',
    { id, line },
  )
}

function checkEnd(receipt: ReceiptPayload, { count, chain, evidence }: Replayed<unknown>): void {
  if (count < receipt.events) {
    throw new Mismatch(`the receipt counts ${receipt.events} events, the export has ${count}`)
  }
  if (chain === null || base64url(chain) !== receipt.chain) {
    throw new Mismatch(
      'the events are consistent, but their chain does not end as the receipt says: they were chained again ' +
        'from some event on',
    )
  }
  checkScore(receipt, provenBy(evidence, receipt.at))
}

async function* eventsIn(
  lines: Proof['lines'],
  onLine: (number: number) => void,
): AsyncGenerator<readonly ExportedEvent[]> {
  let number = 0
  for await (const text of lines) {
    number += 1
    onLine(number)
    if (text.trim() !== '') {
      yield [readLine(text, number)]
    }
  }
}

/** Null for a text that is not how the service writes the bytes. */
function bytesOf(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url')
  return base64url(bytes) === text ? bytes : null
}

/** The chain is equal, and so are the events: a difference now is one of the arithmetic. */
function checkScore(receipt: ReceiptPayload, computed: ReturnType<typeof provenBy>): void {
  const { score, imported, evidence } = computed
  if (canonicalJson(score) !== canonicalJson(receipt.score)) {
    throw new Mismatch(
      `the events give ${canonicalJson(score)}, the receipt says ${canonicalJson(receipt.score)}`,
    )
  }
  if (imported !== receipt.imported) {
    throw new Mismatch(
      `of the events ${imported} were imported, the receipt says ${receipt.imported}`,
    )
  }
  if (evidence !== receipt.evidence) {
    throw new Mismatch('the events give the same score, but not the same evidence to the last bit')
  }
}

function readLine(text: string, line: number): ExportedEvent {
  let event: Partial<ExportedEvent>
  try {
    event = JSON.parse(text) as Partial<ExportedEvent>
  } catch {
    throw new Mismatch(`line ${line} is not JSON`)
  }
  const isEvent =
    typeof event.id === 'string' &&
    typeof event.seq === 'number' &&
    typeof event.type === 'string' &&
    Object.hasOwn(LOG_TYPES, event.type) &&
    typeof event.data === 'object' &&
    event.data !== null &&
    typeof event.reporter === 'string' &&
    typeof event.self === 'boolean' &&
    typeof event.at === 'number' &&
    typeof event.countedSince === 'number' &&
    ['number', 'undefined'].includes(typeof event.chainIndex) &&
    ['string', 'undefined'].includes(typeof event.voter) &&
    typeof event.chain === 'string'
  const named = typeof event?.id === 'string' ? { id: event.id, line } : null
  if (!isEvent) {
    throw new Mismatch(`line ${line} is not an exported event`, named)
  }
  if (!hasItsTexts(event as ExportedEvent)) {
    throw new Mismatch(
      `event ${event.id} (line ${line}) has other texts than those that were chained`,
      named,
    )
  }
  return event as ExportedEvent
}

/** Whether the separate texts match the commitments in the data. Erased texts are absent. */
function hasItsTexts({ data, texts }: ExportedEvent): boolean {
  if (!texts) {
    return true
  }
  const { salt, ...text } = texts
  return canonicalJson(committed({ ...data, ...text }, salt)) === canonicalJson(data)
}
