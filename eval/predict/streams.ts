/** Real histories to measure on, as read from disk. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { EventData, EventType } from '../../src/core/events.ts'
import type { CountedEvent } from '../../src/core/evidence.ts'

/** What one agent did, in order, and how it ended where the stream says so. */
export interface History {
  readonly events: readonly CountedEvent[]
  /** Whether the agent turned out well in what came after; null where only events tell. */
  readonly outcome: boolean | null
}

interface Line {
  readonly agent: string
  readonly platform: string
  /** Seconds. */
  readonly t: number
  readonly type: EventType
  readonly data: EventData
}

type Closing = Pick<Line, 'agent'> & { readonly outcome: 0 | 1 }

/** The histories of a file of gzipped JSON lines, agents in the order of their first line. */
export function readHistories(folder: string, name: string): readonly History[] {
  const text = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`))).toString('utf8')
  const histories = new Map<string, { events: CountedEvent[]; outcome: boolean | null }>()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const read = JSON.parse(line) as Line | Closing
    const history = histories.get(read.agent) ?? { events: [], outcome: null }
    histories.set(read.agent, history)
    if ('outcome' in read) history.outcome = read.outcome === 1
    else history.events.push(eventOf(read))
  }
  return [...histories.values()]
}

function eventOf({ type, data, platform, t }: Line): CountedEvent {
  return { type, data, reporter: platform, self: false, at: t * 1000 }
}
