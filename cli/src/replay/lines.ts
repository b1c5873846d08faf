import { basename } from 'node:path'
import { isJsonObject, type JsonObject } from '../../../src/lib/json-object.ts'
import { UserError } from '../../../src/lib/user-error.ts'
import { textLinesOf } from '../text-lines.ts'

/** An event of an agent. */
export interface EventLine {
  readonly agent: string
  readonly platform: string
  /** Seconds, from any origin. */
  readonly t: number
  readonly type: string
  readonly data: JsonObject
  /** Whether it went well: what a score predicts of later events. */
  readonly good: 0 | 1
  /** Its line in the file, from 1. */
  readonly number: number
}

/** The final outcome of an agent: what its score predicts. */
export interface OutcomeLine {
  readonly agent: string
  readonly outcome: 0 | 1
}

export type StreamLine = EventLine | OutcomeLine

/** Reads a file of JSON lines, gzipped or not. @throws UserError that names the wrong line */
export async function* readLines(file: string): AsyncGenerator<StreamLine, void> {
  let number = 0
  for await (const text of textLinesOf(file)) {
    number++
    if (text.trim() === '') {
      continue
    }
    try {
      yield parseLine(text, number)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new UserError(`${basename(file)}, line ${number}: ${reason}`)
    }
  }
}

function parseLine(text: string, number: number): StreamLine {
  const line: unknown = parseJson(text)
  if (!isJsonObject(line)) {
    throw new Error('a line must be a JSON object')
  }
  const { agent, platform, t, type, data, good, outcome } = line
  if (typeof agent !== 'string' || agent === '') {
    throw new Error('agent must be a name')
  }
  if (outcome !== undefined) {
    return { agent, outcome: bit(outcome, 'outcome') }
  }
  if (typeof platform !== 'string' || platform === '') {
    throw new Error('platform must be a name')
  }
  if (typeof type !== 'string') {
    throw new Error('type must be an event type')
  }
  if (!isJsonObject(data)) {
    throw new Error('data must be an object')
  }
  return { agent, platform, t: seconds(t), type, data, good: bit(good, 'good'), number }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`not JSON: ${text.slice(0, 60)}`)
  }
}

/** Later than the year 5000 in seconds: it was given in milliseconds. */
const SECONDS_MAX = 95_617_584_000

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** A time in seconds from any origin, or one as RFC 3339 writes it. */
function seconds(t: unknown): number {
  if (typeof t === 'string' && RFC_3339.test(t) && !Number.isNaN(Date.parse(t))) {
    return Date.parse(t) / 1000
  }
  if (typeof t === 'number' && Number.isFinite(t) && Math.abs(t) < SECONDS_MAX) {
    return t
  }
  throw new Error(
    typeof t === 'number'
      ? 't must be in seconds, not in milliseconds'
      : 't must be a time such as 2026-06-15T11:00:00Z, or a number of seconds',
  )
}

function bit(value: unknown, name: string): 0 | 1 {
  if (value === 0 || value === 1 || typeof value === 'boolean') {
    return value ? 1 : 0
  }
  throw new Error(`${name} must be true, false, 1 or 0`)
}
