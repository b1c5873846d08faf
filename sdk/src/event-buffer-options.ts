import type { WriteOptions } from './call.ts'
import { invalidCall, type StandingError } from './error.ts'
import type { EventInput, Report } from './types.ts'
import type { Wait, WaitInfo } from './wait.ts'

export interface EventBufferOptions {
  /**
   * Called with the events that the service refused, and with those that could not be delivered
   * before the buffer ended. It is required, so that no event is lost unnoticed.
   */
  readonly onRejected: (rejected: readonly RejectedEvent[]) => void
  /** How long an event waits for others to make a batch with. 1 s. */
  readonly flushAfterMs?: number | undefined
  /** How many events the buffer takes; beyond that, `add` waits for room. 10,000. */
  readonly eventsMax?: number | undefined
  /**
   * How many events wait for an hourly limit that has no room for them (`RATE_LIMIT_EXCEEDED` with
   * `retryAfterSeconds`). Beyond that, the newest of the agent with the most are rejected. Half of
   * `eventsMax`, so that those of other agents have room; 0 rejects them at once.
   */
  readonly deferredMax?: number | undefined
  /** How long `close`, and the end of the process, wait for what is left to be delivered. 10 s; Infinity for ever. */
  readonly closeTimeoutMs?: number | undefined
  /** Signals that end the process only after what is left was delivered. SIGINT and SIGTERM. */
  readonly exitSignals?: readonly string[] | undefined
  /**
   * Called before each wait for a service that is away longer than the client repeats a call, and for
   * an hourly limit.
   */
  readonly onWait?: ((info: WaitInfo) => void) | undefined
  /** How to wait then; by a timer by default. */
  readonly wait?: Wait | undefined
}

export interface RejectedEvent {
  readonly agentId: string
  readonly event: EventInput
  readonly error: Pick<StandingError, 'code' | 'message' | 'details'>
}

/** How many events were accepted and rejected since the buffer was made. */
export interface EventBufferCounts {
  readonly accepted: number
  readonly rejected: number
}

/** What a buffer needs of a client. */
export interface Reporter {
  readonly events: {
    report(agentId: string, events: readonly EventInput[], options?: WriteOptions): Promise<Report>
  }
}

const DEFAULTS = {
  flushAfterMs: 1_000,
  // Some megabytes of events.
  eventsMax: 10_000,
  // What orchestrators leave a process after SIGTERM: 10 s where it is least (Docker).
  closeTimeoutMs: 10_000,
  exitSignals: ['SIGINT', 'SIGTERM'],
} satisfies Partial<EventBufferOptions>

export type EventBufferSettings = EventBufferOptions &
  typeof DEFAULTS & { readonly deferredMax: number }

const LEAST = { flushAfterMs: 0, closeTimeoutMs: 0, eventsMax: 1, deferredMax: 0 }

/** @throws StandingError `INVALID_CALL`, which names the option that cannot be used */
export function bufferSettings(options: EventBufferOptions): EventBufferSettings {
  if (typeof options?.onRejected !== 'function') {
    throw invalidCall('onRejected is not a function: it is called with the events that are refused')
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const { eventsMax = DEFAULTS.eventsMax } = options
  const defaults = { ...DEFAULTS, deferredMax: Math.floor(eventsMax / 2) }
  const settings = { ...defaults, ...Object.fromEntries(given) } as EventBufferSettings
  for (const [name, min] of Object.entries(LEAST)) {
    const value = settings[name as keyof EventBufferSettings]
    if (typeof value === 'number' && value >= min) {
      continue
    }
    throw invalidCall(`${name} is ${String(value)}: it takes a number, ${min} or more`)
  }
  return settings
}
