import { type Issue, invalid, invalidField, problemsOf, TrustError } from '../../domain/error.ts'
import { issuesOf } from '../../http/issues.ts'
import { parseText } from '../../http/json.ts'
import { z } from '../../http/schema.ts'
import { parseBy } from '../../http/validation-messages.ts'
import type { PastEvent, PastLine } from '../../imports/past-reports.ts'
import { AHEAD_MINUTES, isInWindow } from '../../ingest/occurred-at.ts'
import { isJsonObject } from '../../lib/json-object.ts'
import { linesIn } from '../../lib/text-lines.ts'
import { EventBody } from '../events/input-schema.ts'
import { withHashedCounterparty } from '../events/report.ts'
import { Id, TimeInput } from '../wire.ts'

export interface LineOptions {
  /** Values for lines that do not have their own. */
  readonly agent?: string | undefined
  readonly by?: string | undefined
  /** How far back the `occurredAt` of an event may lie. */
  readonly occurredAtDays: number
}

/** An earlier time is a mistake, such as the zero of a calendar that begins before 1970. */
const PastTime = TimeInput.refine(
  (at) => at >= 0,
  'must not be before 1970; write when the event happened',
)

/** When and about whom; the rest of a line is an event as platforms report it. */
const Head = z.object({ at: PastTime, agent: Id, by: Id })

/** An event has less than 2 KB; a longer line is another kind of file. */
const LINE_CHARS_MAX = 16_384

/** The lines of a text that arrives in pieces, one at a time; empty ones are left out. */
export async function* linesOf(
  pieces: AsyncIterable<string>,
  firstLine: number,
  read: (text: string) => PastEvent | TrustError,
): AsyncGenerator<PastLine> {
  let line = firstLine - 1
  for await (const text of linesIn(pieces, LINE_CHARS_MAX)) {
    line += 1
    if (text.trim() !== '') {
      yield { line, content: read(text) }
    }
  }
}

/** Reads one line; an error lists every problem of it. */
export function createLineReader(
  { occurredAtDays, ...defaults }: LineOptions,
  nameCounterparty: (text: string) => string,
): (text: string) => PastEvent | TrustError {
  return (text) => {
    const value = text.length > LINE_CHARS_MAX ? tooLong() : parsed(text)
    if (value instanceof TrustError) {
      return value
    }
    const { at, agent = defaults.agent, by = defaults.by, ...rest } = value
    const head = parseBy(Head, { at, agent, by })
    const event = parseBy(EventBody, rest)
    if (!head.success || !event.success) {
      const issues: Issue[] = []
      issues.push(...(head.success ? [] : issuesOf('body', head.error)))
      issues.push(...(event.success ? [] : issuesOf('body', event.error)))
      return invalid(issues)
    }
    const { at: time } = head.data
    if (!isInWindow(event.data.occurredAt, { now: time, daysBack: occurredAtDays })) {
      return outOfWindow(occurredAtDays)
    }
    return {
      at: time,
      agentId: head.data.agent,
      platformId: head.data.by,
      event: withHashedCounterparty(event.data, nameCounterparty),
    }
  }
}

/** The time at which a line counts is that at which its report would have been received. */
function outOfWindow(daysBack: number): TrustError {
  const window = `must lie at most ${daysBack} days before at and ${AHEAD_MINUTES} minutes after it`
  const advice = 'leave it out if the event happened at the time that at names'
  return invalidField('occurredAt', `${window}; ${advice}`, 'out_of_window')
}

function parsed(text: string): Readonly<Record<string, unknown>> | TrustError {
  try {
    const value = parseText(text)
    return isJsonObject(value)
      ? value
      : new TrustError('VALIDATION_ERROR', 'a line must be a JSON object')
  } catch (error) {
    const problem = error instanceof TrustError ? problemsOf(error) : 'body: is not JSON'
    return new TrustError('VALIDATION_ERROR', problem.replaceAll(/(?<=^|; )body: /g, 'the line '))
  }
}

function tooLong(): TrustError {
  return new TrustError('VALIDATION_ERROR', `a line may have at most ${LINE_CHARS_MAX} characters`)
}
