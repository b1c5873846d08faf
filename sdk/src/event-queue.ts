import { BATCH_MAX } from './calls.ts'
import type { LimitError } from './deliver-batch.ts'
import type { EventInput } from './types.ts'

/** What waits for a number of events to be settled. */
interface Marker {
  left: number
  /** Whether it waits for a pause to end. */
  readonly isPatient: boolean
  readonly reached: () => void
}

/** An hourly limit has no room for the events of an agent until then. */
export interface Pause {
  readonly limit: LimitError
  /** Unix time in milliseconds. */
  readonly until: number
}

/** The events of one agent in their order: the batch being sent, and those behind it. */
export class EventQueue {
  #sent: readonly EventInput[] = []
  #waiting: EventInput[] = []
  #markers: Marker[] = []
  /** How many of those that wait are to be sent without waiting for others. */
  #urgent = 0
  #pause: Pause | undefined

  /** Set while an hourly limit has no room. */
  get pause(): Pause | undefined {
    return this.#pause
  }

  /** How many events wait behind the batch being sent. */
  get waiting(): number {
    return this.#waiting.length
  }

  get all(): readonly EventInput[] {
    return [...this.#sent, ...this.#waiting]
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  /** Whether a batch is to be sent, and none is being sent. */
  get isDue(): boolean {
    const isReady = this.#urgent > 0 || this.#waiting.length >= BATCH_MAX
    return isReady && this.#sent.length === 0 && this.#pause === undefined
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

  /** The batch taken last was accepted or rejected, except those deferred: they are the next. */
  settle(deferred: readonly EventInput[]): void {
    const { length } = this.#sent
    this.#sent = []
    this.#waiting.unshift(...deferred)
    this.#advance(length - deferred.length)
  }

  /** Nothing is sent until the pause is over. */
  pauseFor(pause: Pause): void {
    this.#pause = pause
    this.#advance(0)
  }

  /** The pause is over, and whatever waits is sent. */
  resume(): void {
    this.#pause = undefined
    this.hurry()
  }

  /** Takes out the newest of what waits, which is then not going to be sent. */
  dropNewest(): EventInput | undefined {
    const dropped = this.#waiting.pop()
    this.#advance(0)
    return dropped
  }

  /** Takes out what waits, which is then not going to be sent. */
  clear(): readonly EventInput[] {
    const cleared = this.#waiting
    this.#waiting = []
    this.#urgent = 0
    this.#pause = undefined
    this.#advance(cleared.length)
    return cleared
  }

  /**
   * Resolves once every event that is in the queue now is settled.
   * @param isPatient whether also those are waited for that wait for an hourly limit
   */
  settled(isPatient: boolean): Promise<void> {
    return new Promise((reached) => {
      this.#markers.push({ left: this.#size, isPatient, reached })
      this.#advance(0)
    })
  }

  get #size(): number {
    return this.#sent.length + this.#waiting.length
  }

  #advance(count: number): void {
    for (const marker of this.#markers) {
      // Of a queue whose newest events were dropped, there may be fewer left than the marker counts.
      marker.left = Math.min(marker.left - count, this.#size)
    }
    const isOver = ({ left, isPatient }: Marker) =>
      left <= 0 || (this.#pause !== undefined && !isPatient)
    for (const { reached } of this.#markers.filter(isOver)) {
      reached()
    }
    this.#markers = this.#markers.filter((marker) => !isOver(marker))
  }
}
