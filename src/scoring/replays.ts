import { accountNameOf, type Caller } from '../domain/caller.ts'
import {
  createFairQueue,
  type FairQueue,
  type FairQueueOptions,
} from '../lib/fair-queue/fair-queue.ts'
import { type AbortCheck, signalAfter } from '../lib/signal-after.ts'

/** Runs what folds a part of an event log: some milliseconds of work each, far more than other reads. */
export interface Replays {
  /** Waits for a turn. The signal ends work whose request has ended, or that takes too long. */
  run<T>(asker: Asker, work: (signal: AbortCheck) => Promise<T>): Promise<T>
  /** What is in progress and what waits, of anonymous callers and of others. */
  state(): Readonly<Record<'anonymous' | 'known', ReturnType<FairQueue['state']>>>
}

export interface Asker {
  readonly caller: Caller
  /** Whether the client has disconnected. */
  readonly isGone: () => boolean
}

interface ReplayQueueOptions extends FairQueueOptions {
  readonly workMaxMs: number
}

const REFUSAL = 'too many requests that replay an event log are in progress; retry'

/**
 * Anyone may ask for a past score or an explanation. One at a time in all, so that
 * these requests delay each other and no other requests.
 */
const ANONYMOUS: ReplayQueueOptions = {
  runningMax: 1,
  runningPerKeyMax: 1,
  waitingMax: 100,
  waitingPerKeyMax: 10,
  waitMaxMs: 1_000,
  workMaxMs: 2_000,
  refusal: REFUSAL,
}

/** Two at a time leave a core and most connections to the requests that cost little. */
const KNOWN: ReplayQueueOptions = {
  runningMax: 2,
  runningPerKeyMax: 2,
  waitingMax: 200,
  waitingPerKeyMax: 50,
  waitMaxMs: 5_000,
  workMaxMs: 30_000,
  refusal: REFUSAL,
}

export function createReplays(): Replays {
  const anonymous = createReplayQueue(ANONYMOUS)
  const known = createReplayQueue(KNOWN)
  return {
    run: (asker, work) => (asker.caller.kind === 'anonymous' ? anonymous : known).run(asker, work),
    state: () => ({ anonymous: anonymous.state(), known: known.state() }),
  }
}

function createReplayQueue(
  options: ReplayQueueOptions,
): Pick<Replays, 'run'> & Pick<FairQueue, 'state'> {
  const queue = createFairQueue(options)
  const run: Replays['run'] = ({ caller, isGone }, work) =>
    queue.run(accountNameOf(caller), 1, () => work(signalAfter(options.workMaxMs, isGone)), isGone)
  return { run, state: queue.state }
}
