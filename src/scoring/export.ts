import type { LoggedEvent } from '../domain/agent.ts'
import type { Link } from '../ingest/chain.ts'
import { base64url } from '../ingest/digest.ts'
import { linkOf } from '../ingest/fold.ts'
import type { Semaphore } from '../lib/semaphore.ts'
import type { Store } from '../store/store.ts'
import { countedSince } from './counted-since.ts'
import { isCounted } from './event-log.ts'

/**
 * A line of the export: the event as it is hashed and folded, the chain after it and, in milliseconds
 * since 1970, since when it counts.
 */
export interface ExportedEvent extends Link {
  readonly chain: string
  readonly countedSince: number
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
  return { ...linkOf(event), chain, countedSince: countedSince(event) }
}
