import { type BatchDelivery, type Settled, settleBatch } from './deliver-batch.ts'
import type { StandingError } from './error.ts'
import type { EventBufferSettings, RejectedEvent, Reporter } from './event-buffer-options.ts'
import { EventQueue } from './event-queue.ts'
import { waitReason } from './retry.ts'
import type { EventInput } from './types.ts'

/** Requests at a time, each for another agent: they fill the time that an answer takes to arrive. */
const SENDING_MAX = 4

/** Sends the events of each agent in their order, a batch at a time. */
export class EventSender {
  readonly #client: Reporter
  readonly #settings: EventBufferSettings
  readonly #onSettled: (settled: Settled) => void
  readonly #queues = new Map<string, EventQueue>()
  #sending = 0
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
    if (queue.isDue) {
      this.#sendDue()
    }
  }

  /** Sends what waits now, without waiting for more. Resolves once all of it is settled. */
  async flush(): Promise<void> {
    const queues = [...this.#queues.values()]
    for (const queue of queues) {
      queue.hurry()
    }
    const settled = queues.map((queue) => queue.settled())
    this.#sendDue()
    await Promise.all(settled)
  }

  /** Ends the requests, and settles everything as rejected. */
  cancel(error: StandingError): void {
    const rejected: RejectedEvent[] = []
    for (const [agentId, queue] of this.#queues) {
      rejected.push(...queue.clear().map((event) => ({ agentId, event, error })))
      if (queue.isEmpty) {
        this.#queues.delete(agentId)
      }
    }
    this.#onSettled({ size: rejected.length, accepted: 0, rejected })
    // Those being sent are settled by their own requests, which this ends.
    this.#giveUp.abort(error)
    this.#giveUp = new AbortController()
  }

  /** Every event that is not settled. */
  all(): readonly Omit<RejectedEvent, 'error'>[] {
    return [...this.#queues].flatMap(([agentId, queue]) =>
      queue.all.map((event) => ({ agentId, event })),
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
    const settled = await settleBatch(this.#deliveryOf(agentId, queue.take()))
    this.#sending--
    queue.settle()
    if (queue.isEmpty) {
      this.#queues.delete(agentId)
    }
    this.#onSettled(settled)
    this.#sendDue()
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
