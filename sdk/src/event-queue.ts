import { BATCH_MAX } from './calls.ts'
import type { EventInput } from './types.ts'

/** What waits for a number of events to be settled. */
interface Marker {
  left: number
  readonly reached: () => void
}

/** The events of one agent in their order: the batch being sent, and those behind it. */
export class EventQueue {
  #sent: readonly EventInput[] = []
  #waiting: EventInput[] = []
  #markers: Marker[] = []
  /** How many of those that wait are to be sent without waiting for others. */
  #urgent = 0

  get all(): readonly EventInput[] {
    return [...this.#sent, ...this.#waiting]
  }

  get isEmpty(): boolean {
    return this.#sent.length + this.#waiting.length === 0
  }

  /** Whether a batch is to be sent, and none is being sent. */
  get isDue(): boolean {
    const isReady = this.#urgent > 0 || this.#waiting.length >= BATCH_MAX
    return isReady && this.#sent.length === 0
  }

  add(event: EventInput): void {
    this.#waiting.push(event)
  }

  /** Whatever waits now is to be sent as soon as possible. */
  hurry(): void {
    this.#urgent = this.#waiting.length
  }

  /** The next batch. It stays part of the queue until it is settled. */
  take(): readonly EventInput[] {
    this.#sent = this.#waiting.splice(0, BATCH_MAX)
    this.#urgent = Math.max(0, this.#urgent - this.#sent.length)
    return this.#sent
  }

  /** The batch taken last was accepted or rejected. */
  settle(): void {
    const { length } = this.#sent
    this.#sent = []
    this.#advance(length)
  }

  /** Takes out what waits, which is then not going to be sent. */
  clear(): readonly EventInput[] {
    const cleared = this.#waiting
    this.#waiting = []
    this.#urgent = 0
    this.#advance(cleared.length)
    return cleared
  }

  /** Resolves once every event that is in the queue now is settled. */
  settled(): Promise<void> {
    return new Promise((reached) => {
      this.#markers.push({ left: this.#sent.length + this.#waiting.length, reached })
      this.#advance(0)
    })
  }

  #advance(count: number): void {
    for (const marker of this.#markers) {
      marker.left -= count
    }
    for (const { reached } of this.#markers.filter(({ left }) => left <= 0)) {
      reached()
    }
    this.#markers = this.#markers.filter(({ left }) => left > 0)
  }
}
