import type { RecordedEvent } from '../domain/agent.ts'
import { committed } from '../ingest/text-commitment.ts'
import type { Store } from '../store/store.ts'

export interface ArchivedTexts {
  readonly store: Store
  readonly agentId: string
  /** Which events have something to remove: texts and names, or also findings and reviews. */
  readonly what: 'texts' | 'all'
  /** Of events received before this time; of all by default. */
  readonly before?: number
  readonly isStopping: () => boolean
  readonly without: (event: RecordedEvent) => RecordedEvent
}

/** Removes texts from the archived events of an agent, a part at a time. From how many events. */
export async function removeFromArchive(removal: ArchivedTexts): Promise<number> {
  const { store, agentId, what, before = Infinity, isStopping, without } = removal
  const isAged = ({ createdAt }: RecordedEvent) => createdAt < before
  const hasAgedText = (event: RecordedEvent) => isAged(event) && hasText(event)
  let after = 0
  let removed = 0
  while (!isStopping()) {
    const part = await store.transaction(async ({ agentStates, archive }) => {
      // While its events are archived or erased an agent is locked.
      await agentStates.find({ agentId }, { lock: 'wait' })
      const events = await archive.nextWith(what, agentId, after, removal.before)
      const isChanged = what === 'all' ? events.length > 0 : events.some(hasAgedText)
      if (isChanged) {
        const changed = events.map((event) => (isAged(event) ? without(event) : event))
        await archive.replace(events, changed)
      }
      return events
    })
    const last = part.at(-1)
    if (!last) {
      break
    }
    after = last.seq
    removed += part.filter(hasAgedText).length
  }
  return removed
}

function hasText({ salt, externalId }: RecordedEvent): boolean {
  return salt !== null || externalId !== null
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
