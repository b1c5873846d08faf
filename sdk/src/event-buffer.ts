import type { Settled } from './deliver-batch.ts'
import { invalidCall, notDelivered, type StandingError } from './error.ts'
import {
  bufferSettings,
  type EventBufferCounts,
  type EventBufferOptions,
  type EventBufferSettings,
  type RejectedEvent,
  type Reporter,
} from './event-buffer-options.ts'
import { EventSender } from './event-sender.ts'
import { onProcessEnd } from './process-end.ts'
import { TIMER_MAX_MS, unref } from './timer.ts'
import type { EventInput } from './types.ts'

/**
 * Collects events, and reports them in batches of up to a hundred for one agent, in their order. A
 * batch is repeated for as long as the service is away, and counts once. Events that an hourly limit
 * refuses are sent again when it has room.
 */
export class EventBuffer {
  readonly #settings: EventBufferSettings
  readonly #sender: EventSender
  readonly #removeHooks: () => void
  /** Events that came while there was no room. */
  readonly #outside: { agentId: string; event: EventInput; taken: () => void }[] = []
  #inside = 0
  #accepted = 0
  #rejected = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #draining: Promise<void> | undefined
  #isClosed = false

  /** @param client a platform's, or an agent's for events about itself */
  constructor(client: Reporter, options: EventBufferOptions) {
    this.#settings = bufferSettings(options)
    this.#sender = new EventSender(client, this.#settings, (settled) => this.#settle(settled))
    const hooks = { finish: () => this.#drain(), ended: () => this.#abandon() }
    this.#removeHooks = onProcessEnd(hooks, this.#settings.exitSignals)
  }

  /** How many events wait, or are being sent. */
  get size(): number {
    return this.#inside + this.#outside.length
  }

  /**
   * Resolves once the buffer has taken a copy of the event: at once, or when there is room again.
   * @throws StandingError `INVALID_CALL` where the buffer is closed, or the event cannot be copied
   */
  async add(agentId: string, given: EventInput): Promise<void> {
    if (this.#isClosed) {
      throw invalidCall('the event buffer is closed')
    }
    const event = copyOf(given)
    if (this.#hasRoom) {
      return this.#take(agentId, event)
    }
    return new Promise((taken) => void this.#outside.push({ agentId, event, taken }))
  }

  /**
   * Sends without delay. Resolves once all that the buffer had was accepted or rejected, except what
   * waits for an hourly limit.
   */
  flush(): Promise<void> {
    return this.#send(false)
  }

  /**
   * Sends what is left, and takes no more. Events for which no answer came within `closeTimeoutMs`
   * are rejected with `NOT_DELIVERED`, and those for which an hourly limit has no room until then at
   * once, with its refusal.
   */
  async close(): Promise<EventBufferCounts> {
    this.#isClosed = true
    await this.#drain()
    this.#removeHooks()
    return { accepted: this.#accepted, rejected: this.#rejected }
  }

  get #hasRoom(): boolean {
    return this.#inside < this.#settings.eventsMax
  }

  #take(agentId: string, event: EventInput): void {
    this.#inside++
    this.#sender.add(agentId, event)
    const afterMs = Math.min(this.#settings.flushAfterMs, TIMER_MAX_MS)
    // It does not keep the process alive, whose end sends what is left at once.
    this.#timer ??= unref(setTimeout(() => void this.flush(), afterMs))
  }

  #settle({ size, accepted, rejected }: Settled): void {
    this.#inside -= size
    this.#accepted += accepted
    this.#reject(rejected)
    while (this.#hasRoom) {
      const next = this.#outside.shift()
      if (next === undefined) {
        return
      }
      this.#take(next.agentId, next.event)
      next.taken()
    }
  }

  async #send(isPatient: boolean): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#sender.flush({ isPatient })
  }

  /** Sends until nothing is left, or the time for it is over. */
  #drain(): Promise<void> {
    this.#draining ??= this.#drainNow().finally(() => {
      this.#draining = undefined
    })
    return this.#draining
  }

  async #drainNow(): Promise<void> {
    if (this.size === 0) {
      return
    }
    const { closeTimeoutMs } = this.#settings
    const time = `in the ${closeTimeoutMs / 1000} s before the buffer ended`
    const cancel = () => this.#cancel(notDelivered(time))
    const timer = setTimeout(cancel, Math.min(closeTimeoutMs, TIMER_MAX_MS))
    this.#sender.deferUntil(Date.now() + closeTimeoutMs)
    while (this.size > 0) {
      await this.#send(true)
    }
    this.#sender.deferUntil(Number.POSITIVE_INFINITY)
    clearTimeout(timer)
  }

  #cancel(error: StandingError): void {
    for (const { taken, ...event } of this.#outside.splice(0)) {
      this.#reject([{ ...event, error }])
      taken()
    }
    this.#sender.cancel(error)
  }

  /** The process has ended: nothing can be sent any more, only handed over. */
  #abandon(): void {
    const unknown = notDelivered('before the process ended')
    const outside = this.#outside.map(({ agentId, event }) => ({ agentId, event, error: unknown }))
    const inside = this.#sender.all().map(({ error = unknown, ...one }) => ({ ...one, error }))
    this.#reject([...inside, ...outside])
  }

  #reject(rejected: readonly RejectedEvent[]): void {
    if (rejected.length === 0) {
      return
    }
    this.#rejected += rejected.length
    try {
      this.#settings.onRejected(rejected)
    } catch (error) {
      // The program's own failure must neither stop the buffer nor be lost.
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

/** A repeated batch must be the same: the program may change its own object meanwhile. */
function copyOf(event: EventInput): EventInput {
  if (typeof event !== 'object' || event === null) {
    throw invalidCall(`an event is an object, not ${String(event)}`)
  }
  try {
    return structuredClone(event)
  } catch (cause) {
    throw invalidCall(`the event cannot be copied: ${(cause as Error).message}`)
  }
}
