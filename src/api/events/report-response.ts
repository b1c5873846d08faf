import type { Issue, TrustError } from '../../domain/error.ts'
import { type ErrorContext, errorOf } from '../../http/errors.ts'
import { created, ok, type Response } from '../../http/response.ts'
import type { EventOutcome, ReportedEvent } from '../../ingest/report.ts'
import { presentEvent } from './present.ts'

/** An event of a batch: parsed, or rejected before anything else was decided about it. */
export type ParsedEvent = { readonly input: ReportedEvent } | { readonly refusal: TrustError }

export function respondOne([outcome]: readonly EventOutcome[]): Response | TrustError {
  if (!outcome) {
    throw new Error('one event has one outcome')
  }
  if ('refusal' in outcome) {
    return outcome.refusal
  }
  const body = presentEvent(outcome.event)
  return outcome.isNew ? created(body) : ok(body)
}

/** The outcome of each event in the order given, those that could not be parsed among them. */
export function respondBatch(
  parsed: readonly ParsedEvent[],
  outcomes: readonly EventOutcome[],
  context: ErrorContext,
): Response {
  const rest = outcomes.values()
  const all = parsed.map((one) => ('input' in one ? (rest.next().value ?? null) : one))
  return ok(presentOutcomes(all, context))
}

/** The recorded events, and the refusals by their place. Null is an event of which nothing came. */
export function presentOutcomes(outcomes: readonly (EventOutcome | null)[], context: ErrorContext) {
  const data = outcomes.flatMap((one) => (one && 'event' in one ? [presentEvent(one.event)] : []))
  const errors = outcomes.flatMap((one, index) =>
    one && 'refusal' in one ? [{ index, ...eventError(one.refusal, context) }] : [],
  )
  return { accepted: data.length, rejected: errors.length, errors, data }
}

/**
 * More than an honest event has fields that are wrong. The response to a batch is stored for a day with its
 * Idempotency-Key: with all problems of a hundred events it had four times the size of the request.
 */
const ISSUES_PER_EVENT_MAX = 10

/** Within a batch there is no Retry-After header, so the wait stands in the details. */
function eventError(refusal: TrustError, context: ErrorContext) {
  const error = errorOf(refusal, context)
  const { retryAfterSeconds } = refusal
  const issues = refusal.details.issues as readonly Issue[] | undefined
  return {
    ...error,
    details: {
      ...error.details,
      ...(issues === undefined ? {} : { issues: issues.slice(0, ISSUES_PER_EVENT_MAX) }),
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  }
}
