import type { Attest } from '../../auth/attestation.ts'
import type { Context } from '../../context.ts'
import type { CallerOf } from '../../domain/caller.ts'
import { type Issue, invalid, type TrustError } from '../../domain/error.ts'
import type { Reporter } from '../../domain/event.ts'
import type { IdempotentRequest } from '../../http/idempotency.ts'
import { issuesOf, pathOf } from '../../http/issues.ts'
import type { Response } from '../../http/response.ts'
import type { Input } from '../../http/route.ts'
import { parseBy } from '../../http/validation-messages.ts'
import type { BatchWriter } from '../../ingest/batch-writer/batch-writer.ts'
import { AHEAD_MINUTES, isInWindow } from '../../ingest/occurred-at.ts'
import { type Submission, withoutKey } from '../../ingest/record-reports.ts'
import type { EventOutcome, Report, ReportedEvent, ReportOutcome } from '../../ingest/report.ts'
import { inSlices } from '../../lib/slices.ts'
import type { MappingRow } from '../../store/store.ts'
import {
  cloudEventPath,
  eventOfCloudEvent,
  isCloudEvent,
  isCloudEvents,
  isForeign,
} from './cloud-event.ts'
import { EventBody } from './input-schema.ts'
import { type ParsedEvent, respondBatch, respondOne } from './report-response.ts'

export interface ReportDeps extends Context {
  readonly ingest: BatchWriter
  readonly attest: Attest
  /** The keyed hash under which a counterparty is stored. */
  readonly nameCounterparty: (text: string) => string
  readonly settings: { readonly occurredAtDays: number }
  /** Called for each event that was refused within a batch. */
  readonly onEventRefused: (refusal: TrustError) => void
}

/** What a report takes of its request. */
export type Reporting = Pick<
  Input,
  'request' | 'requestId' | 'basePath' | 'bodyBytes' | 'idempotency'
> & {
  readonly caller: CallerOf<'agent' | 'platform'>
}

export async function reportOne(
  deps: ReportDeps,
  agentId: string,
  reporting: Reporting,
  body: ReportedEvent,
): Promise<Response> {
  const event = isCloudEvent(reporting.request.headers)
    ? await oneCloudEvent(deps, reporting.caller, body)
    : body
  const issue = timeIssue(deps, event, 'occurredAt')
  if (issue) {
    throw invalid([issue])
  }
  const report = await reportOf(deps, agentId, reporting, [event])
  return deps.ingest.submit(submissionOf(report, reporting.idempotency, respondOne))
}

export async function reportBatch(
  deps: ReportDeps,
  agentId: string,
  reporting: Reporting,
  { events }: { readonly events: readonly unknown[] },
): Promise<Response> {
  const parsed = isCloudEvents(reporting.request.headers)
    ? await parseCloudEvents(deps, reporting.caller, events)
    : events.map((event, index) => parseOne(deps, event, `events.${index}`))
  const readable = parsed.flatMap((one) => ('input' in one ? [one.input] : []))
  // Called again when the transaction is retried: the last outcomes are those committed.
  let decided: readonly EventOutcome[] = []
  const respond: Respond = (outcomes) => {
    decided = outcomes
    return respondBatch(parsed, outcomes, reporting)
  }
  const report = await reportOf(deps, agentId, reporting, readable)
  const response = await deps.ingest.submit(submissionOf(report, reporting.idempotency, respond))
  for (const outcome of decided) {
    if ('refusal' in outcome) {
      deps.onEventRefused(outcome.refusal)
    }
  }
  return response
}

/** The response to a report, once the outcome of each event is known. */
type Respond = (outcomes: readonly EventOutcome[]) => Response | TrustError

/** Records events whose response is made of more than them; the request has no Idempotency-Key. */
export async function submitEvents(
  deps: ReportDeps,
  agentId: string,
  reporting: Reporting,
  events: readonly ReportedEvent[],
): Promise<ReportOutcome> {
  return deps.ingest.submit(withoutKey(await reportOf(deps, agentId, reporting, events)))
}

async function reportOf(
  { attest, nameCounterparty }: ReportDeps,
  agentId: string,
  { caller, request, bodyBytes }: Reporting,
  events: readonly ReportedEvent[],
): Promise<Report> {
  const { attestation, problem, signature } = await attest(caller, request, bodyBytes)
  return {
    agentId,
    reporter: reporterOf(caller),
    reporterOwnerId: caller.ownerId,
    reporterVerified: caller.kind === 'platform' && caller.verified,
    attestation,
    attestationProblem: problem,
    requestName: signature,
    events: events.map((event) => withHashedCounterparty(event, nameCounterparty)),
  }
}

export function withHashedCounterparty(
  event: ReportedEvent,
  nameCounterparty: ReportDeps['nameCounterparty'],
): ReportedEvent {
  const { data } = event
  return data?.counterparty === undefined
    ? event
    : { ...event, data: { ...data, counterparty: nameCounterparty(data.counterparty) } }
}

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

function reporterOf(caller: CallerOf<'agent' | 'platform'>): Reporter {
  return caller.kind === 'agent'
    ? { kind: 'agent', id: caller.agentId }
    : { kind: 'platform', id: caller.platformId }
}

/** What is wrong with the time that an event claims; null for nothing. */
export function timeIssue(
  { now, settings }: Pick<ReportDeps, 'now' | 'settings'>,
  { occurredAt }: ReportedEvent,
  path: string,
): Issue | null {
  const daysBack = settings.occurredAtDays
  if (isInWindow(occurredAt, { now: now(), daysBack })) {
    return null
  }
  const message = `must lie at most ${daysBack} days back and ${AHEAD_MINUTES} minutes ahead`
  return { path, code: 'out_of_window', message }
}

/** The name of the mapping that a platform may store for CloudEvents of other types. */
const MAPPING = 'cloudevents'

/** The events of a batch of CloudEvents, whose body is the list itself. */
async function parseCloudEvents(
  deps: ReportDeps,
  caller: Reporting['caller'],
  events: readonly unknown[],
): Promise<readonly ParsedEvent[]> {
  const row = await mappingFor(deps, caller, events)
  const parsed: ParsedEvent[] = []
  for await (const event of inSlices(events)) {
    parsed.push(parseCloud(deps, event, String(parsed.length), row))
  }
  return parsed
}

/** The event that a body in the structured mode has. @throws TrustError with what is wrong with it */
async function oneCloudEvent(
  deps: ReportDeps,
  caller: Reporting['caller'],
  body: unknown,
): Promise<ReportedEvent> {
  const parsed = parseCloud(deps, body, 'body', await mappingFor(deps, caller, [body]))
  if ('refusal' in parsed) {
    throw parsed.refusal
  }
  return parsed.input
}

/** The mapping of the platform, where one of the events needs it. */
async function mappingFor(
  { store }: ReportDeps,
  caller: Reporting['caller'],
  events: readonly unknown[],
): Promise<MappingRow | null> {
  return caller.kind === 'platform' && events.some(isForeign)
    ? await store.mappings.find({ platformId: caller.platformId, name: MAPPING })
    : null
}

function parseCloud(
  deps: ReportDeps,
  value: unknown,
  path: string,
  row: MappingRow | null,
): ParsedEvent {
  const read = eventOfCloudEvent(value, path, row)
  if ('refusal' in read) {
    return read
  }
  const parsed = parseOne(deps, read.event, path)
  if ('input' in parsed) {
    return parsed
  }
  const issues = (parsed.refusal.details.issues ?? []) as readonly Issue[]
  return { refusal: invalid(issues.map((issue) => cloudEventPath(path, issue))) }
}

function parseOne(deps: ReportDeps, event: unknown, path: string): ParsedEvent {
  const result = parseBy(EventBody, event)
  if (!result.success) {
    return { refusal: invalid(issuesOf(path, result.error)) }
  }
  const issue = timeIssue(deps, result.data, pathOf(path, ['occurredAt']))
  return issue ? { refusal: invalid([issue]) } : { input: result.data }
}
