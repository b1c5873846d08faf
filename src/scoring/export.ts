import type { LoggedEvent } from '../domain/agent.ts'
import type { EventData } from '../domain/event.ts'
import type { Link } from '../ingest/chain.ts'
import { linkOf } from '../ingest/fold.ts'
import { TEXT_FIELDS } from '../ingest/text-commitment.ts'
import { base64url } from '../lib/base64url.ts'
import type { Semaphore, SemaphoreOptions } from '../lib/semaphore.ts'
import type { Store } from '../store/store.ts'
import { countedSince, isCounted } from './event-log.ts'

/**
 * An export runs once for each part of the log (some 10 ms), so that one with a slow reader does not
 * hold up the others.
 */
export const EXPORTS: SemaphoreOptions = {
  runningMax: 2,
  waitingMax: 1_000,
  refusal: 'too many exports are waiting',
}

/**
 * A line of the export: the event as it is hashed and folded, the chain after it and, in milliseconds
 * since 1970, since when it counts.
 */
export interface ExportedEvent extends Link {
  readonly chain: string
  readonly countedSince: number
  /** The free text behind the commitments in `data`, and their salt; absent where it was erased. */
  readonly texts?: Readonly<Record<string, string>> & { readonly salt: string }
}

/**
 * The events that count, in the order folded, as lines of JSON, a part of the log at a time. Nothing is
 * folded: the reader checks the chain.
 */
export async function* exportLines(
  store: Store,
  agentId: string,
  exports: Semaphore,
): AsyncGenerator<string> {
  const parts = store.events.log(agentId)[Symbol.asyncIterator]()
  while (true) {
    const { done, value: part } = await exports.run(() => parts.next())
    if (done) {
      return
    }
    const lines = part.filter(isCounted).map(exported)
    if (lines.length > 0) {
      yield `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`
    }
  }
}

function exported(event: LoggedEvent): ExportedEvent {
  const chain = base64url(event.chain ?? new Uint8Array())
  const line = { ...linkOf(event), chain, countedSince: countedSince(event) }
  return event.salt === null ? line : { ...line, texts: textsOf(event.data, event.salt) }
}

function textsOf(data: EventData, salt: string): NonNullable<ExportedEvent['texts']> {
  const texts = TEXT_FIELDS.flatMap((field) => {
    const text = data[field]
    return text === undefined ? [] : [[field, text] as const]
  })
  return { ...Object.fromEntries(texts), salt }
}
