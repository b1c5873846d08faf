import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { EventData, EventType } from '../../src/domain/event.ts'

/** One event of a stream, as its file tells it. */
export interface Line {
  readonly agent: string
  readonly platform: string
  /** Seconds. */
  readonly t: number
  readonly type: EventType
  readonly data: EventData
}

/** How an agent turned out, which some streams tell behind its events. */
export type Closing = Pick<Line, 'agent'> & { readonly outcome: 0 | 1 }

/** A file of gzipped JSON lines, in its order. */
export function readLines(folder: string, name: string): readonly (Line | Closing)[] {
  const text = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`))).toString('utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}
