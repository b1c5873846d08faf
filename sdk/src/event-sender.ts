import { type BatchDelivery, type LimitError, type Settled, settleBatch } from './deliver-batch.ts'
import type { StandingError } from './error.ts'
import type { EventBufferSettings, RejectedEvent, Reporter } from './event-buffer-options.ts'
import { EventQueue } from './event-queue.ts'
import { waitReason } from './retry.ts'
import { waitIdle } from './timer.ts'
import type { EventInput } from './types.ts'

/** Requests at a time, each for another agent: they fill the time that an answer takes to arrive. */
const SENDING_MAX = 4

/**
 * Sends the events of each agent in their order, a batch at a time. Where an hourly limit has no room
 * for more about an agent, its queue pauses, and those of other agents go on.
 */
export class EventSender {
  readonly #client: Reporter
  readonly #settings: EventBufferSettings
  readonly #onSettled: (settled: Settled) => void
  readonly #queues = new Map<string, EventQueue>()
  #sending = 0
  /** How many events wait in queues that pause. */
  #deferred = 0
  /** Events whose pause is longer are rejected. */
  #deferUntil = Number.POSITIVE_INFINITY
  #giveUp = new AbortController()

  constructor(
    client: Reporter,
    settings: EventBufferSettings,
    onSettled: (settled: Settled) => void,
  ) {
    this.#client = client
    this.#settings = settings
    this.#onSettled = onSettled
  }

  add(agentId: string, event: EventInput): void {
    const queue = this.#queues.get(agentId) ?? new EventQueue()
    this.#queues.set(agentId, queue)
    queue.add(event)
    if (queue.pause) {
      this.#deferred++
      this.#dropExcess()
    }
    if (queue.isDue) {
      this.#sendDue()
    }
  }

  /**
   * Sends what waits now, without waiting for more. Resolves once all of it is settled.
   * @param isPatient whether also what waits for an hourly limit is waited for
   */
  async flush({ isPatient }: { readonly isPatient: boolean }): Promise<void> {
    const queues = [...this.#queues.values()]
    for (const queue of queues) {
      queue.hurry()
    }
    const settled = queues.map((queue) => queue.settled(isPatient))
    this.#sendDue()
    await Promise.all(settled)
  }

  /**
   * Rejects the events, now and later, for which an hourly limit has room only after this time.
   * @param time Unix time in milliseconds; Infinity rejects none
   */
  deferUntil(time: number): void {
    this.#deferUntil = time
    for (const [agentId, queue] of this.#queues) {
      this.#rejectLate(agentId, queue)
    }
  }

  /** Ends the requests, and settles everything as rejected. */
  cancel(error: StandingError): void {
    for (const [agentId, queue] of this.#queues) {
      this.#clear(agentId, queue, queue.pause?.limit ?? error)
    }
    // Those being sent are settled by their own requests, which this ends.
    this.#giveUp.abort(error)
    this.#giveUp = new AbortController()
  }

  /** Every event that is not settled. Those that wait for an hourly limit have its refusal. */
  all(): readonly (Omit<RejectedEvent, 'error'> & { readonly error: LimitError | undefined })[] {
    return [...this.#queues].flatMap(([agentId, queue]) =>
      queue.all.map((event) => ({ agentId, event, error: queue.pause?.limit })),
    )
  }

  #sendDue(): void {
    for (const [agentId, queue] of this.#queues) {
      if (this.#sending >= SENDING_MAX) {
        return
      }
      if (queue.isDue) {
        void this.#send(agentId, queue)
      }
    }
  }

  async #send(agentId: string, queue: EventQueue): Promise<void> {
    this.#sending++
    // Behind the others: agents whose queues are always full must not keep the rest waiting.
    this.#queues.delete(agentId)
    this.#queues.set(agentId, queue)
    const { deferred, limit, ...settled } = await settleBatch(
      this.#deliveryOf(agentId, queue.take()),
    )
    this.#sending--
    queue.settle(deferred)
    if (limit) {
      this.#pause(agentId, queue, limit)
    }
    this.#forgetEmpty(agentId, queue)
    this.#onSettled(settled)
    this.#sendDue()
  }

  #pause(agentId: string, queue: EventQueue, limit: LimitError): void {
    const { retryAfterMs } = limit
    queue.pauseFor({ limit, until: Date.now() + retryAfterMs })
    this.#deferred += queue.waiting
    this.#rejectLate(agentId, queue)
    this.#dropExcess()
    if (queue.pause === undefined || queue.isEmpty) {
      return
    }
    this.#deliveryOf(agentId, []).onPause(limit, retryAfterMs, 1)
    void this.#resumeAfter(retryAfterMs, agentId, queue)
  }

  async #resumeAfter(ms: number, agentId: string, queue: EventQueue): Promise<void> {
    const { wait = waitIdle } = this.#settings
    const { pause } = queue
    const isOver = await wait(ms, this.#giveUp.signal).then(
      () => true,
      () => false,
    )
    if (pause === undefined || queue.pause !== pause) {
      return
    }
    if (!isOver) {
      // The program's own `wait` failed: without it, the batch would be repeated at once, for ever.
      return this.#clear(agentId, queue, pause.limit)
    }
    this.#deferred -= queue.waiting
    queue.resume()
    this.#sendDue()
  }

  #rejectLate(agentId: string, queue: EventQueue): void {
    const { pause } = queue
    if (pause && pause.until > this.#deferUntil) {
      this.#clear(agentId, queue, pause.limit)
    }
  }

  /** The agent with the most events loses its newest, so that none takes the room of others. */
  #dropExcess(): void {
    const rejected: RejectedEvent[] = []
    while (this.#deferred > this.#settings.deferredMax) {
      const [agentId, queue] = this.#longestPaused()
      const event = queue.dropNewest()
      if (event === undefined || queue.pause === undefined) {
        break
      }
      this.#deferred--
      rejected.unshift({ agentId, event, error: queue.pause.limit })
      this.#forgetEmpty(agentId, queue)
    }
    this.#reject(rejected)
  }

  #longestPaused(): readonly [string, EventQueue] {
    return [...this.#queues]
      .filter(([, queue]) => queue.pause !== undefined)
      .reduce((longest, one) => (one[1].waiting > longest[1].waiting ? one : longest))
  }

  /** Rejects what waits. */
  #clear(agentId: string, queue: EventQueue, error: StandingError): void {
    this.#deferred -= queue.pause ? queue.waiting : 0
    const rejected = queue.clear().map((event) => ({ agentId, event, error }))
    this.#forgetEmpty(agentId, queue)
    this.#reject(rejected)
  }

  #forgetEmpty(agentId: string, queue: EventQueue): void {
    if (queue.isEmpty && this.#queues.get(agentId) === queue) {
      this.#queues.delete(agentId)
    }
  }

  #reject(rejected: readonly RejectedEvent[]): void {
    if (rejected.length > 0) {
      this.#onSettled({ size: rejected.length, accepted: 0, rejected })
    }
  }

  #deliveryOf(agentId: string, events: readonly EventInput[]): BatchDelivery {
    const { wait, onWait } = this.#settings
    const path = `/v1/agents/${agentId}/events/batch`
    return {
      agentId,
      events,
      report: (...report) => this.#client.events.report(...report),
      signal: this.#giveUp.signal,
      wait,
      onPause: (error, ms, attempt) => {
        const reason = waitReason(error)
        onWait?.({ reason, seconds: ms / 1000, attempt, method: 'POST', path, error })
      },
    }
  }
}
