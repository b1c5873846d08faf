import type { RecordedEvent } from '../domain/agent.ts'
import { committed } from '../ingest/text-commitment.ts'
import type { Removal } from '../store/events.ts'
import type { Store } from '../store/store.ts'

export interface Rewriting {
  readonly store: Store
  readonly isStopping: () => boolean
}

/** Removes something from the events of an agent, in a transaction for each part. Reports how many each changed. */
export async function rewriteEvents(
  { store, isStopping }: Rewriting,
  agentId: string,
  removal: Removal,
  without: (event: RecordedEvent) => RecordedEvent,
  onRewritten: (count: number) => void = () => {},
): Promise<void> {
  let after = 0
  while (!isStopping()) {
    const part = await store.transaction(({ events }) =>
      events.rewriteNext(agentId, after, removal, without),
    )
    if (part === null) {
      return
    }
    after = part.last
    onRewritten(part.count)
  }
}

/** The event with the commitments of its texts, and without the name that its reporter gave it. */
export function withoutText(event: RecordedEvent): RecordedEvent {
  const { data, salt } = event
  return {
    ...event,
    data: salt === null ? data : committed(data, salt),
    salt: null,
    externalId: null,
  }
}
