import type { Attest } from '../../auth/attestation.ts'
import type { Context } from '../../context.ts'
import type { CallerOf } from '../../domain/caller.ts'
import { forbidden, invalid, invalidField, notFound, type TrustError } from '../../domain/error.ts'
import type { Reporter } from '../../domain/event.ts'
import { errorOf } from '../../http/errors.ts'
import type { IdempotentRequest } from '../../http/idempotency.ts'
import { issuesOf } from '../../http/parse.ts'
import { created, ok, type Response } from '../../http/response.ts'
import { type Input, type Route, route } from '../../http/route.ts'
import type { z } from '../../http/schema.ts'
import { parseBy } from '../../http/validation-messages.ts'
import type { BatchWriter } from '../../ingest/batch-writer.ts'
import type { Submission } from '../../ingest/record-reports.ts'
import type { EventOutcome, Report } from '../../ingest/report.ts'
import { IdParams, pageAnswer, pageOf } from '../wire.ts'
import {
  Event,
  EventBatchAnswer,
  EventBatchBody,
  EventBody,
  type EventInput,
  EventList,
  EventQueryParams,
  presentEvent,
} from './schema.ts'

/** What a report takes of its request. */
type Reporting = Pick<
  Input<'agent' | 'platform', unknown, unknown, unknown>,
  'caller' | 'request' | 'requestId' | 'bodyBytes' | 'idempotency'
>

export interface EventRoutesOptions {
  readonly context: Context
  readonly ingest: BatchWriter<Response>
  readonly attest: Attest
}

/** `occurredAt` may be this far ahead: clocks differ. */
const AHEAD_MS = 5 * 60_000
const DAY_MS = 86_400_000

const EVENT_TAKEN = {
  201: {
    description: 'The event; a held one was accepted too, and waits for review',
    schema: Event,
  },
  200: { description: 'The event that this externalId named first', schema: Event },
}
const BATCH_TAKEN = { 200: { description: 'What became of each event', schema: EventBatchAnswer } }

const SINGLE =
  'A retry with the same externalId and content answers the first event (200) and counts once.'
const BATCH = 'Each event is judged on its own: one that is refused fails none of its neighbours.'

export function eventRoutes({ context, ingest, attest }: EventRoutesOptions): readonly Route[] {
  const { store, cursors, now, policy } = context

  function timeRefusal({ occurredAt }: EventInput, path: string): TrustError | null {
    const oldest = now() - policy.occurredAtDays * DAY_MS
    if (occurredAt === undefined || (occurredAt >= oldest && occurredAt <= now() + AHEAD_MS)) {
      return null
    }
    return invalidField(
      path,
      `must lie at most ${policy.occurredAtDays} days back and 5 minutes ahead`,
      'out_of_window',
    )
  }

  async function submit(
    agentId: string,
    { caller, request, bodyBytes, idempotency }: Reporting,
    events: readonly EventInput[],
    respond: Respond,
  ): Promise<Response> {
    const reporter = reporterOf(caller)
    const reporterOwnerId = caller.ownerId
    const attested = await attest(caller, request, bodyBytes)
    const { attestation, problem: attestationProblem, signature } = attested
    const attestedBy = { attestation, attestationProblem, signature }
    const report: Report = { agentId, reporter, reporterOwnerId, ...attestedBy, events }
    return ingest.submit(submissionOf(report, idempotency, respond))
  }

  function submitOne(agentId: string, reporting: Reporting, body: EventInput): Promise<Response> {
    const refusal = timeRefusal(body, 'occurredAt')
    return refusal ? Promise.reject(refusal) : submit(agentId, reporting, [body], respondToOne)
  }

  function submitBatch(
    agentId: string,
    reporting: Reporting,
    body: { readonly events: readonly unknown[] },
  ): Promise<Response> {
    const parsed = body.events.map((event, index) => parseOne(event, index, timeRefusal))
    const events = parsed.flatMap((one) => ('input' in one ? [one.input] : []))
    return submit(agentId, reporting, events, (outcomes) =>
      respondToBatch(parsed, outcomes, reporting.requestId),
    )
  }

  return [
    route({
      method: 'post',
      path: '/v1/events',
      operationId: 'reportOwnEvent',
      tag: 'Events',
      summary: 'Report an event about oneself, at a tenth of the weight',
      description: SINGLE,
      callers: ['agent'],
      body: EventBody,
      answers: EVENT_TAKEN,
      errors: ['CONFLICT'],
      handle: (input) => submitOne(input.caller.agentId, input, input.body),
    }),
    route({
      method: 'post',
      path: '/v1/events/batch',
      operationId: 'reportOwnEvents',
      tag: 'Events',
      summary: 'Report up to 100 events about oneself',
      description: BATCH,
      callers: ['agent'],
      body: EventBatchBody,
      answers: BATCH_TAKEN,
      handle: (input) => submitBatch(input.caller.agentId, input, input.body),
    }),
    route({
      method: 'post',
      path: '/v1/agents/{id}/events',
      operationId: 'reportEvent',
      tag: 'Events',
      summary: 'Report an event about an agent, at full weight',
      description: SINGLE,
      callers: ['platform'],
      params: IdParams,
      body: EventBody,
      answers: EVENT_TAKEN,
      errors: ['CONFLICT'],
      handle: (input) => submitOne(input.params.id, input, input.body),
    }),
    route({
      method: 'post',
      path: '/v1/agents/{id}/events/batch',
      operationId: 'reportEvents',
      tag: 'Events',
      summary: 'Report up to 100 events about an agent',
      description: BATCH,
      callers: ['platform'],
      params: IdParams,
      body: EventBatchBody,
      answers: BATCH_TAKEN,
      handle: (input) => submitBatch(input.params.id, input, input.body),
    }),
    route({
      method: 'get',
      path: '/v1/events',
      operationId: 'listOwnEvents',
      tag: 'Events',
      summary: "The agent's own events, newest first",
      description: 'Whoever reported them, those held for review included.',
      callers: ['agent'],
      query: EventQueryParams,
      answers: { 200: { description: 'A page of events', schema: EventList } },
      handle: ({ caller, query }) => list(caller.agentId, query, undefined),
    }),
    route({
      method: 'get',
      path: '/v1/agents/{id}/events',
      operationId: 'listEvents',
      tag: 'Events',
      summary: "An agent's events, newest first",
      description: 'For the agent itself, its owner, and a platform for what it reported.',
      callers: ['agent', 'owner', 'platform', 'operator'],
      params: IdParams,
      query: EventQueryParams,
      answers: { 200: { description: 'A page of events', schema: EventList } },
      async handle({ caller, params: { id }, query }) {
        const agent = await store.agents.find(id)
        if (!agent) {
          throw notFound('agent')
        }
        const isTheirs =
          (caller.kind === 'agent' && caller.agentId === id) ||
          (caller.kind === 'owner' && caller.ownerId === agent.ownerId) ||
          caller.kind === 'operator'
        if (isTheirs) {
          return list(id, query, undefined)
        }
        if (caller.kind === 'platform') {
          return list(id, query, caller.platformId)
        }
        throw forbidden('only the agent itself, its owner and its reporters read its events')
      },
    }),
  ]

  async function list(
    agentId: string,
    query: z.output<typeof EventQueryParams>,
    reporterId: string | undefined,
  ): Promise<Response> {
    const { type, from, to } = query
    const name = { list: 'events', agentId, reporterId, type, from, to }
    const { position, limit } = pageOf<[number]>(cursors, query, name)
    const before = position?.[0] ?? null
    const page = await store.events.list(agentId, { type, reporterId, from, to, before, limit })
    return pageAnswer(cursors, page, name, presentEvent, ({ seq }) => [seq])
  }
}

function reporterOf(caller: CallerOf<'agent' | 'platform'>): Reporter {
  return caller.kind === 'agent'
    ? { kind: 'agent', id: caller.agentId }
    : { kind: 'platform', id: caller.platformId }
}

/** What is answered, once it is known what became of each event. */
type Respond = (outcomes: readonly EventOutcome[]) => Response | TrustError

/** The response is made, and sealed for its Idempotency-Key, in the transaction that stores it. */
function submissionOf(
  report: Report,
  request: IdempotentRequest | null,
  respond: Respond,
): Submission<Response> {
  const settle = request?.settle ?? ((response) => ({ response, stored: null }))
  return {
    report,
    idempotencyScope: request?.scope ?? null,
    earlier: (stored) => request?.earlier(stored) ?? null,
    respond: (outcome) => settle('refusal' in outcome ? outcome.refusal : respond(outcome.events)),
  }
}

function respondToOne([outcome]: readonly EventOutcome[]): Response | TrustError {
  if (!outcome) {
    throw new Error('one event has one outcome')
  }
  if ('refusal' in outcome) {
    return outcome.refusal
  }
  return outcome.isNew ? created(presentEvent(outcome.event)) : ok(presentEvent(outcome.event))
}

type ParsedOne = { readonly input: EventInput } | { readonly refusal: TrustError }

function parseOne(
  event: unknown,
  index: number,
  timeRefusal: (input: EventInput, path: string) => TrustError | null,
): ParsedOne {
  const path = `events.${index}`
  const result = parseBy(EventBody, event)
  if (!result.success) {
    return { refusal: invalid(issuesOf(path, result.error)) }
  }
  const refusal = timeRefusal(result.data, `${path}.occurredAt`)
  return refusal ? { refusal } : { input: result.data }
}

/** A refused event has no Retry-After header of its own: its details carry the time. */
function withRetryAfter(error: ReturnType<typeof errorOf>, { retryAfterSeconds }: TrustError) {
  if (retryAfterSeconds === undefined) {
    return error
  }
  return { ...error, details: { ...error.details, retryAfterSeconds } }
}

/** What became of each event, in the order given, those that could not be parsed among them. */
function respondToBatch(
  parsed: readonly ParsedOne[],
  outcomes: readonly EventOutcome[],
  requestId: string,
): Response {
  const rest = outcomes.values()
  const all = parsed.map((one) => ('input' in one ? rest.next().value : one))
  const data = all.flatMap((one) => (one && 'event' in one ? [presentEvent(one.event)] : []))
  const errors = all.flatMap((one, index) => {
    if (!one || !('refusal' in one)) {
      return []
    }
    return [{ index, ...withRetryAfter(errorOf(one.refusal, requestId), one.refusal) }]
  })
  return ok({ accepted: data.length, rejected: errors.length, errors, data })
}
