/** Real histories to measure on, as read from disk. */
import type { CountedEvent } from '../../../src/domain/evidence.ts'
import { type Line, readLines } from '../lines.ts'

/** What one agent did, in order, and how it ended where the stream says so. */
export interface History {
  readonly events: readonly CountedEvent[]
  /** Whether the agent was good afterwards; null where only its events are known. */
  readonly outcome: boolean | null
}

/** The histories of a file of gzipped JSON lines, agents in the order of their first line. */
export function readHistories(folder: string, name: string): readonly History[] {
  const histories = new Map<string, { events: CountedEvent[]; outcome: boolean | null }>()
  for (const read of readLines(folder, name)) {
    const history = histories.get(read.agent) ?? { events: [], outcome: null }
    histories.set(read.agent, history)
    if ('outcome' in read) {
      history.outcome = read.outcome === 1
    } else {
      history.events.push(eventOf(read))
    }
  }
  return [...histories.values()]
}

function eventOf({ type, data, platform, t }: Line): CountedEvent {
  return { type, data, reporter: platform, self: false, at: t * 1000 }
}
