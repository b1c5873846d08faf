import { batches, type Calls } from '../calls.ts'
import type { CredentialKind } from '../credentials.ts'
import { StandingError } from '../error.ts'
import type { Listing } from '../page.ts'
import type { CallOptions, WriteOptions } from '../transport.ts'
import type { EventInput, EventQuery, EventRecord, Report } from '../types.ts'
import { path } from '../url.ts'

export type Events = ReturnType<typeof eventCalls>

const READERS: readonly CredentialKind[] = ['apiKey', 'token', 'operatorKey']

const NOTHING: Report = { accepted: 0, rejected: 0, errors: [], data: [] }

/** @param apiKey decides the way: a platform's reports on any agent, an agent's on itself alone. */
export function eventCalls({ readText, write, list }: Calls, apiKey: string | undefined) {
  const routeOf = (agentId: string) =>
    apiKey?.startsWith('avs_') ? '/v1/events' : path`/v1/agents/${agentId}/events`

  /** Platform or agent: one event, its record for an answer. */
  function submit(
    agentId: string,
    event: EventInput,
    options?: WriteOptions,
  ): Promise<EventRecord> {
    return write('POST', routeOf(agentId), ['apiKey'], event, options)
  }

  /** In requests of a hundred, one behind the other, so that the order given is the order taken. */
  async function submitAll(
    agentId: string,
    events: readonly EventInput[],
    options: WriteOptions | undefined,
  ): Promise<Report> {
    let report = NOTHING
    for (const [n, batch] of batches(events).entries()) {
      try {
        const own = batchOptions(options, n)
        const route = `${routeOf(agentId)}/batch`
        const body = { events: batch }
        const answer = await write<Report>('POST', route, ['apiKey'], body, own)
        report = merge(report, answer, batch.length)
      } catch (error) {
        throw n === 0 ? error : withPartial(error, report)
      }
    }
    return report
  }

  return {
    submit,
    /**
     * Platform or agent. A single event is refused by an exception; of an array, whatever its
     * length, each is judged on its own and counted. Where a later request of a long array fails as
     * a whole, the error's `details.partial` is the report so far.
     */
    async report(
      agentId: string,
      events: EventInput | readonly EventInput[],
      options?: WriteOptions,
    ): Promise<Report> {
      if (isMany(events)) return submitAll(agentId, events, options)
      const record = await submit(agentId, events, options)
      return { accepted: 1, rejected: 0, errors: [], data: [record] }
    },
    /** Agent: its own events. */
    list: (query?: EventQuery, options?: CallOptions): Listing<EventRecord> =>
      list('/v1/events', ['apiKey'], query, options),
    /** The agent itself, its owner, a platform for what it reported, or the operator. */
    listFor: (agentId: string, query?: EventQuery, options?: CallOptions): Listing<EventRecord> =>
      list(path`/v1/agents/${agentId}/events`, READERS, query, options),
    /**
     * The agent itself, its owner, or the operator: every event that counts, in the order folded, one
     * JSON object (`ExportedEvent`) a line. With a receipt it proves the score.
     */
    export: (agentId: string, options?: CallOptions): Promise<string> =>
      readText(
        path`/v1/agents/${agentId}/events/export`,
        ['token', 'apiKey', 'operatorKey'],
        options,
      ),
    /** Owner: once, within 30 days of an event's being upheld in review. */
    appeal: (id: string, statement: string, options?: WriteOptions): Promise<EventRecord> =>
      write('POST', path`/v1/events/${id}/appeal`, ['token'], { statement }, options),
  }
}

function isMany(events: EventInput | readonly EventInput[]): events is readonly EventInput[] {
  return Array.isArray(events)
}

/** A key of the caller's own names the whole report, so each request behind the first needs a suffix. */
function batchOptions(options: WriteOptions | undefined, n: number): WriteOptions | undefined {
  const key = options?.idempotencyKey
  return n === 0 || key === undefined ? options : { ...options, idempotencyKey: `${key}-${n}` }
}

function merge(before: Report, answer: Report, size: number): Report {
  const offset = before.data.length
  const errors = answer.errors.map((one) => ({ ...one, index: one.index + offset }))
  return {
    accepted: before.accepted + answer.accepted,
    rejected: before.rejected + answer.rejected,
    errors: [...before.errors, ...errors],
    data: [...before.data, ...inPlace(answer, size)],
  }
}

/** Each record at its event's place, whether or not the answer leaves gaps for those refused. */
function inPlace({ errors, data }: Report, size: number): Report['data'] {
  const refused = new Set(errors.map((error) => error.index))
  const records = data.filter((record) => record !== null).values()
  return Array.from({ length: size }, (_, index) =>
    refused.has(index) ? null : (records.next().value ?? null),
  )
}

function withPartial(error: unknown, partial: Report): unknown {
  if (!(error instanceof StandingError)) return error
  const { status, code, message, details, requestId, retryAfterMs } = error
  return new StandingError({
    status,
    code,
    message,
    details: { ...details, partial },
    requestId,
    retryAfterMs,
    cause: error,
  })
}
