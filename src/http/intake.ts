import { type Caller, principalOf, requestAccountOf } from '../domain/caller.ts'
import { diskFull } from '../domain/error.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import {
  createFairQueue,
  type FairQueue,
  type FairQueueOptions,
} from '../lib/fair-queue/fair-queue.ts'
import type { AdmissionRule } from './admission.ts'
import type { Request } from './request.ts'

/**
 * The queue that the requests of an operation wait in, so that a flood of one kind leaves the others alone.
 * `write` is for reports and decisions, which share connections to the database; `change` for writes that take
 * one each; `none` for requests that only wait, and for monitoring.
 */
export type RequestQueue = 'read' | 'write' | 'change' | 'login' | 'none'

/** What is known of an endpoint before its request is served. */
interface Admitting {
  readonly admission: AdmissionRule
  readonly queue: RequestQueue
  readonly writes: boolean
}

/** Admits as many requests as there is room for, before their bodies are parsed. */
export interface Intake {
  /**
   * Waits for room, then serves the request in it. Throws SERVICE_UNAVAILABLE when there is none in
   * time, or when it would write to a disk that is nearly full.
   */
  serve<T>(
    endpoint: Admitting,
    caller: Caller,
    request: Request,
    work: () => Awaitable<T>,
  ): Awaitable<T>
  /** Requests in progress and waiting, for the metrics. */
  state(): Readonly<Record<Exclude<RequestQueue, 'none'>, ReturnType<FairQueue['state']>>>
}

/**
 * Half a second: an accepted request gets its response within a second, and one that waits longer
 * is refused while its client still listens.
 */
const WAIT_MAX_MS = 500

/**
 * If requests wait all the time, each would wait that half second without being served sooner. With a quarter of
 * a second, requests of a thousand clients were refused although all could be served. Where the work itself is
 * slow, waiting and work together take three quarters of a second; the rest of the second is for the steps
 * before, and for work that takes longer than most.
 */
const CROWDED = { waitMaxMs: 400, totalMs: 750, waitMinMs: 100 }

/**
 * A refusal takes a tenth of a millisecond: a hundredth of the time at this rate. Clients beyond it wait
 * for their refusals, up to five seconds.
 */
const REFUSALS_PER_SECOND_MAX = 100

/** Each may keep 64 KiB of a body in memory that is never read. */
const HELD_MAX = 1_000

/** Each waiting request takes a socket and some kilobytes. No account may fill the queue alone. */
const WAITING = {
  waitingMax: 2_000,
  waitingPerKeyMax: 1_000,
  refusalsPerSecondMax: REFUSALS_PER_SECOND_MAX,
  heldMax: HELD_MAX,
  refusal: 'more requests are in progress than can be served in time; retry',
}

/**
 * Writes weigh as many kibibytes as their bodies have: a dozen batches of a hundred events, so
 * that one is committed while the next are parsed. More in progress only makes each of them slower.
 * One account leaves a quarter of the room to the others.
 */
const WRITES: FairQueueOptions = {
  ...WAITING,
  runningMax: 128,
  runningPerKeyMax: 96,
  waitMaxMs: WAIT_MAX_MS,
  crowded: CROWDED,
}

/**
 * Each change has weight 1. One takes a connection, and often waits there for the rows of its account. A third of the
 * dozen connections is left to everything else, and half of the room to other accounts: the changes of one are mostly
 * made one after the other anyway. Fifty that an account sends at once take up to three seconds on a busy machine.
 */
const CHANGES: FairQueueOptions = {
  ...WAITING,
  runningMax: 8,
  runningPerKeyMax: 4,
  waitMaxMs: 5_000,
}

/** Each read has weight 1. Most are served at once; the others share a dozen connections. */
const READS: FairQueueOptions = {
  ...WAITING,
  runningMax: 128,
  runningPerKeyMax: 96,
  waitMaxMs: WAIT_MAX_MS,
  crowded: CROWDED,
}

/**
 * Sign-ins weigh one each. Two passwords are hashed at a time, some hundred a second, so these wait
 * longer: addresses take turns, so a person is served even during an attack from a few hundred addresses.
 */
const LOGINS: FairQueueOptions = {
  runningMax: 64,
  runningPerKeyMax: 16,
  waitingMax: 1_000,
  waitingPerKeyMax: 100,
  waitMaxMs: 3_000,
  refusalsPerSecondMax: REFUSALS_PER_SECOND_MAX,
  heldMax: HELD_MAX,
  refusal: 'too many sign-ins at once',
}

/** The unit of the weights of bodies. */
const WEIGHT_BYTES = 1_024

export interface IntakeOptions {
  /** Whether nothing may be written at the moment. */
  readonly isReadOnly: () => boolean
  /** Whether the service is shutting down: nothing is refused later than it could be. */
  readonly isDraining: () => boolean
}

export function createIntake({ isReadOnly, isDraining: isEnding }: IntakeOptions): Intake {
  const queues = {
    read: createFairQueue({ ...READS, isEnding }),
    write: createFairQueue({ ...WRITES, isEnding }),
    change: createFairQueue({ ...CHANGES, isEnding }),
    login: createFairQueue({ ...LOGINS, isEnding }),
  }
  return {
    serve({ admission, queue: name, writes }, caller, request, work) {
      if (writes && isReadOnly()) {
        throw diskFull()
      }
      if (name === 'none') {
        return work()
      }
      const queue = queues[name]
      if (name === 'read' && queue.isIdle()) {
        return serveIdle(queue, caller, work)
      }
      const key = admission === 'counted' ? endsAccessKeyOf(caller) : queueKeyOf(caller)
      if (queue.isFull(key)) {
        return queue.refuse(request.isGone)
      }
      return andThen(weightOf(name, request), (weight) => {
        const entered = queue.acquire(key, weight, request.isGone)
        const release = () => queue.release(key, weight)
        return entered === null
          ? workThen(work, release)
          : entered.then(() => workThen(work, release))
      })
    },
    state: () => ({
      read: queues.read.state(),
      write: queues.write.state(),
      change: queues.change.state(),
      login: queues.login.state(),
    }),
  }
}

/**
 * Where nothing runs, there is room. What is served at once, as a cached score, never takes it: to look the
 * account up and to count it twice took a twentieth of such a read.
 */
function serveIdle<T>(queue: FairQueue, caller: Caller, work: () => Awaitable<T>): Awaitable<T> {
  const result = work()
  if (!(result instanceof Promise)) {
    return result
  }
  const key = queueKeyOf(caller)
  queue.acquire(key, 1)
  return result.finally(() => queue.release(key, 1))
}

/** The account whose requests wait for each other, and whose bodies share memory. */
export function queueKeyOf(caller: Caller): string {
  return requestAccountOf(caller)?.name ?? principalOf(caller)
}

/** Requests that end access wait apart from the others of the account, of which a leaked key may send any number. */
function endsAccessKeyOf(caller: Caller): string {
  return `${principalOf(caller)} ends access`
}

/** Does the work, and then the rest, whether it succeeds or not. */
function workThen<T>(work: () => Awaitable<T>, rest: () => void): Awaitable<T> {
  let result: Awaitable<T>
  try {
    result = work()
  } catch (error) {
    rest()
    throw error
  }
  if (result instanceof Promise) {
    return result.finally(rest)
  }
  rest()
  return result
}

/**
 * The body is read before there is room: a client that sends it slowly takes none. A body that cannot
 * be read is refused by the operation, which reads it again.
 */
function weightOf(name: RequestQueue, { method, readBody }: Request): Awaitable<number> {
  if (method === 'GET' || method === 'HEAD') {
    return 1
  }
  const read = readBody().catch(() => null)
  return read.then((bytes) =>
    name === 'write' ? Math.max(1, Math.ceil((bytes?.byteLength ?? 0) / WEIGHT_BYTES)) : 1,
  )
}
