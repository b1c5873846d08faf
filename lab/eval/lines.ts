import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { EventData, EventType } from '../../src/domain/event.ts'

/** One event of a stream, as it is in its file. */
export interface Line {
  readonly agent: string
  readonly platform: string
  /** Seconds. */
  readonly t: number
  readonly type: EventType
  readonly data: EventData
}

/** The known outcome of an agent, which some streams have after its events. */
export type Closing = Pick<Line, 'agent'> & { readonly outcome: 0 | 1 }

/** A file of gzipped JSON lines, in its order. */
export function readLines(folder: string, name: string): readonly (Line | Closing)[] {
  const text = gunzipSync(readFileSync(join(folder, `${name}.jsonl.gz`))).toString('utf8')
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}
