import type { WriteOptions } from './call.ts'
import { invalidCall, isTransient, notDelivered, StandingError } from './error.ts'
import type { RejectedEvent } from './event-buffer-options.ts'
import { waitIdle } from './timer.ts'
import type { EventInput, Report, ReportError } from './types.ts'
import type { Wait } from './wait.ts'
import { newIdempotencyKey } from './web-crypto.ts'

export type ReportEvents = (
  agentId: string,
  events: readonly EventInput[],
  options: WriteOptions,
) => Promise<Report>

/** How long a batch waits after the client gave up repeating its request. It doubles. */
const PAUSE_BASE_MS = 1_000
const PAUSE_MAX_MS = 30_000

/**
 * How long a batch is repeated under its key. The service keeps the response for 24 h. The hour less
 * is for the last attempt, which the client repeats, and for clocks that are set meanwhile.
 */
const REPEAT_MAX_MS = 23 * 3_600_000

export interface BatchDelivery {
  readonly agentId: string
  readonly events: readonly EventInput[]
  readonly report: ReportEvents
  readonly signal: AbortSignal
  /** Another way to wait than by a timer. */
  readonly wait: Wait | undefined
  /** Called before each pause. */
  readonly onPause: (error: StandingError, ms: number, attempt: number) => void
}

/** What became of some events: how many were accepted, and those that were not. */
export interface Settled {
  readonly size: number
  readonly accepted: number
  readonly rejected: readonly RejectedEvent[]
}

/** What became of a batch. */
export interface Delivered extends Settled {
  /** Those that an hourly limit refused, in their order: there is room for them later. */
  readonly deferred: readonly EventInput[]
  /** The refusal of one of them, with the longest wait. */
  readonly limit: LimitError | undefined
}

/** The refusal by an hourly limit, which says when there is room again. */
export type LimitError = StandingError & { readonly retryAfterMs: number }

/** Delivers a batch, and says what became of each of its events. */
export async function settleBatch(delivery: BatchDelivery): Promise<Delivered> {
  const { agentId, events } = delivery
  try {
    const { accepted, errors = [] } = await deliverBatch(delivery)
    const refused = errors.flatMap((error) => {
      const event = events[error.index]
      return event === undefined ? [] : [{ event, error, limit: limitOf(error) }]
    })
    const late = refused.filter(({ limit }) => limit !== undefined)
    const rejected = refused
      .filter(({ limit }) => limit === undefined)
      .map(({ event, error }) => ({ agentId, event, error }))
    return {
      size: events.length - late.length,
      accepted,
      rejected,
      deferred: late.map(({ event }) => event),
      limit: longest(late.map(({ limit }) => limit)),
    }
  } catch (cause) {
    if (events.length > 1 && isAboutContent(cause)) {
      return settleHalves(delivery)
    }
    const error = cause instanceof StandingError ? cause : invalidCall(String(cause))
    const rejected = events.map((event) => ({ agentId, event, error }))
    return { size: events.length, accepted: 0, rejected, deferred: [], limit: undefined }
  }
}

/** The hourly limit that refused an event; undefined where something else did. */
function limitOf({ code, message, details }: ReportError): LimitError | undefined {
  const { limit, retryAfterSeconds, requestId } = details
  const isHourly = code === 'RATE_LIMIT_EXCEEDED' && String(limit).endsWith('_hour')
  if (!isHourly || typeof retryAfterSeconds !== 'number') {
    return undefined
  }
  return new StandingError({
    status: 429,
    code,
    message,
    details,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfterMs: retryAfterSeconds * 1000,
  }) as LimitError
}

function longest(limits: readonly (LimitError | undefined)[]): LimitError | undefined {
  return limits.reduce(
    (most, one) => ((one?.retryAfterMs ?? 0) > (most?.retryAfterMs ?? 0) ? one : most),
    undefined,
  )
}

/** One event by which a whole request is refused must not take the others with it. */
async function settleHalves(delivery: BatchDelivery): Promise<Delivered> {
  const { events } = delivery
  const middle = Math.ceil(events.length / 2)
  // One after the other: the order added is the order taken.
  const first = await settleBatch({ ...delivery, events: events.slice(0, middle) })
  const second = await settleBatch({ ...delivery, events: events.slice(middle) })
  return {
    size: first.size + second.size,
    accepted: first.accepted + second.accepted,
    rejected: [...first.rejected, ...second.rejected],
    deferred: [...first.deferred, ...second.deferred],
    limit: longest([first.limit, second.limit]),
  }
}

/** Whether a request is refused because of some of its events: it cannot be written or read, or is too large. */
function isAboutContent(error: unknown): boolean {
  if (!(error instanceof StandingError)) {
    return false
  }
  const { issues } = error.details
  switch (error.code) {
    case 'INVALID_CALL':
    case 'PAYLOAD_TOO_LARGE':
      return true
    case 'VALIDATION_ERROR':
      return Array.isArray(issues) && issues.some(isOfEvent)
    default:
      return false
  }
}

function isOfEvent({ path }: { readonly path?: unknown }): boolean {
  return String(path).startsWith('events.')
}

/**
 * Reports a batch, however long the service is away: under one key, so that it counts once. Once the
 * service no longer knows the key, only an `externalId` keeps an event from counting twice.
 */
async function deliverBatch(delivery: BatchDelivery): Promise<Report> {
  const { agentId, events, report, signal, wait = waitIdle, onPause } = delivery
  const idempotencyKey = await newIdempotencyKey()
  const isRepeatable = events.every(({ externalId }) => externalId !== undefined)
  const elapsedMs = startClocks()
  for (let attempt = 1; ; attempt++) {
    if (!isRepeatable && elapsedMs() > REPEAT_MAX_MS) {
      throw notDelivered('in the 23 h in which a batch can be repeated')
    }
    try {
      return await report(agentId, events, { idempotencyKey, signal })
    } catch (error) {
      if (!(error instanceof StandingError) || !isTransient(error)) {
        throw error
      }
      const pauseMs = Math.min(PAUSE_MAX_MS, PAUSE_BASE_MS * 2 ** (attempt - 1))
      const ms = Math.max(error.retryAfterMs ?? 0, pauseMs)
      onPause(error, ms, attempt)
      await wait(ms, signal)
    }
  }
}

/**
 * The time since the call, by the clock that is ahead: one stands still while the machine sleeps, the other can be set
 * back.
 */
function startClocks(): () => number {
  const [date, monotonic] = [Date.now(), performance.now()]
  return () => Math.max(Date.now() - date, performance.now() - monotonic)
}
