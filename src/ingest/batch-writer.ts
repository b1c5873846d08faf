import { overloaded, TrustError, unavailable } from '../domain/error.ts'
import { createBatcher } from '../lib/batcher.ts'
import { hexOf } from '../lib/hex.ts'
import { createSemaphore, type SemaphoreOptions } from '../lib/semaphore.ts'
import type { SpanContext } from '../lib/span-context.ts'
import { NotTogether, type Store, StoreUnavailable } from '../store/store.ts'
import { type Recorder, recordReports, type Submission } from './record-reports.ts'

/** Records the reports of many requests in one transaction, and answers each after its commit. */
export interface BatchWriter<T> {
  submit(submission: Submission<T>): Promise<T>
  /** Events that wait or are being committed, and agents whose reports wait for a lock. */
  state(): { readonly waitingEvents: number; readonly lockedAgents: number }
  /** Takes no more, and resolves once all that was taken is answered. */
  close(): Promise<void>
}

/** Events that were committed together. */
export interface CommittedBatch {
  readonly events: number
  /** How many of them are quarantined. */
  readonly quarantined: number
  readonly seconds: number
}

export interface BatchWriterOptions {
  readonly store: Store
  readonly recorder: Recorder
  /** Called for each transaction that stored events. */
  readonly onBatchCommitted: (batch: CommittedBatch) => void
  /** Traces the transactions; null where nothing is traced. */
  readonly trace?: FlushTrace | null
}

export interface FlushTrace {
  /** The span in which a report was made. */
  current(): SpanContext | null
  /** Runs the transaction of the reports that were made in these spans. */
  flush<T>(reports: readonly SpanContext[], work: () => Promise<T>): Promise<T>
}

/**
 * Events in one transaction at most. A commit waits for the disk once, however many events it
 * carries; beyond this many the last event waits longer for the others than it saves.
 */
const BATCH_EVENTS_MAX = 256

/** Events that may wait: some seconds of work. Beyond it a refusal is better than a long wait. */
const WAITING_EVENTS_MAX = 10_000

/**
 * Locked agents that are waited for at a time, each on a connection of its own, and those that wait
 * for their turn. A lock is given up after two seconds, so the last of them waits some twenty.
 */
const LOCKED_AGENTS: SemaphoreOptions = {
  runningMax: 4,
  waitingMax: 36,
  refusal: 'too many agents are locked at the moment',
}

interface Waiting<T> {
  readonly submission: Submission<T>
  readonly span: SpanContext | null
  readonly resolve: (response: T) => void
  readonly reject: (error: unknown) => void
}

/**
 * While one batch commits, the next one gathers: the busier the service, the fewer commits an event
 * costs. Reports about an agent that another transaction has locked are set aside, each agent's in a
 * queue of its own that waits for the lock, so that they delay no other agent. So are the parts of a batch that
 * cannot be stored together.
 */
export function createBatchWriter<T>(options: BatchWriterOptions): BatchWriter<T> {
  const { groupOf, partOf, atOnce } = options.store.events.batching
  const sharedQueues = new Map<number, Queue<T>>()
  const partQueues = new Map<number, Queue<T>>()
  const agentQueues = new Map<string, Queue<T>>()
  const lockedAgents = createSemaphore(LOCKED_AGENTS)
  let waitingEvents = 0
  let isClosed = false

  // A report stays behind an earlier one that was set aside: first one about its part, then one about its agent.
  async function commitShared(batch: readonly Waiting<T>[]): Promise<void> {
    const isBehind = (one: Waiting<T>) =>
      partQueues.size > 0 && partQueues.has(partOf(agentOf(one)))
    const free = batch.filter((one) => !isBehind(one))
    setApart(batch.filter(isBehind))
    try {
      await commitPart(free)
    } catch (error) {
      if (!(error instanceof NotTogether)) {
        throw error
      }
      setApart(free)
    }
  }

  async function commitPart(batch: readonly Waiting<T>[]): Promise<void> {
    const isBehind = (one: Waiting<T>) => agentQueues.has(agentOf(one))
    const behind = batch.filter(isBehind)
    const free = batch.filter((one) => !isBehind(one))
    const locked = await commit(options, free, true)
    setAside([...behind, ...locked])
  }

  /** Of the reports that lie together with those about this agent. */
  function sharedQueueOf(agentId: string): Queue<T> {
    const group = groupOf(agentId)
    const queue = sharedQueues.get(group) ?? createQueue(commitShared, atOnce)
    sharedQueues.set(group, queue)
    return queue
  }

  function setApart(reports: readonly Waiting<T>[]): void {
    for (const one of reports) {
      addTo(partQueues, partOf(agentOf(one)), one, commitPart)
    }
  }

  function setAside(reports: readonly Waiting<T>[]): void {
    for (const one of reports) {
      addTo(agentQueues, agentOf(one), one, commitLocked)
    }
  }

  async function commitLocked(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await lockedAgents.run(() => commit(options, batch, false))
    } catch (error) {
      rejectAll(batch, error)
    }
  }

  return {
    submit(submission) {
      const events = submission.report.events.length
      if (isClosed) {
        return Promise.reject(
          unavailable('the service is shutting down', { reason: 'shutting_down' }),
        )
      }
      if (waitingEvents + events > WAITING_EVENTS_MAX) {
        return Promise.reject(overloaded('more events are waiting than can be taken at the moment'))
      }
      waitingEvents += events
      const answered = new Promise<T>((resolve, reject) => {
        const span = options.trace?.current() ?? null
        sharedQueueOf(submission.report.agentId).add({ submission, span, resolve, reject })
      })
      return answered.finally(() => {
        waitingEvents -= events
      })
    },
    state: () => ({ waitingEvents, lockedAgents: agentQueues.size }),
    async close() {
      isClosed = true
      for (const queues of [sharedQueues, partQueues, agentQueues]) {
        await Promise.all([...queues.values()].map((queue) => queue.idle()))
      }
    },
  }
}

function agentOf<T>({ submission }: Waiting<T>): string {
  return submission.report.agentId
}

/** Adds to a queue that is there as long as reports wait in it. */
function addTo<K, T>(
  queues: Map<K, Queue<T>>,
  key: K,
  one: Waiting<T>,
  commitBatch: (batch: readonly Waiting<T>[]) => Promise<void>,
): void {
  const known = queues.get(key)
  const queue: Queue<T> =
    known ??
    createQueue<T>(async (batch) => {
      await commitBatch(batch)
      if (queue.isEmpty()) {
        queues.delete(key)
      }
    })
  queues.set(key, queue)
  queue.add(one)
}

interface Queue<T> {
  add(one: Waiting<T>): void
  isEmpty(): boolean
  /** Resolves once nothing waits and no batch is being committed. */
  idle(): Promise<void>
}

function createQueue<T>(
  commitBatch: (batch: readonly Waiting<T>[]) => Promise<void>,
  atOnce = 1,
): Queue<T> {
  const waiting: Waiting<T>[] = []
  const { wake, idle } = createBatcher({
    hasWaiting: () => waiting.length > 0,
    flush: () => commitBatch(takeBatch(waiting)),
    atOnce,
  })
  return {
    add(one) {
      waiting.push(one)
      wake()
    },
    isEmpty: () => waiting.length === 0,
    idle,
  }
}

/**
 * Takes from the front of a queue what fits into one batch, at least one request. Two requests with
 * one Idempotency-Key never share a batch: the second is answered what the first one stored.
 */
function takeBatch<T>(queue: Waiting<T>[]): readonly Waiting<T>[] {
  const batch: Waiting<T>[] = []
  const later: Waiting<T>[] = []
  const keys = new Set<string>()
  let events = 0
  for (const one of queue) {
    const { report, idempotencyScope } = one.submission
    const key = idempotencyScope && hexOf(idempotencyScope)
    if (key !== null && keys.has(key)) {
      later.push(one)
      continue
    }
    events += report.events.length
    if (batch.length > 0 && events > BATCH_EVENTS_MAX) {
      break
    }
    batch.push(one)
    if (key !== null) {
      keys.add(key)
    }
  }
  queue.splice(0, batch.length + later.length, ...later)
  return batch
}

/**
 * Commits a batch and answers it, except for the requests whose agent is locked: these it returns. If
 * the batch fails while the database is there, each request is tried alone, so that one that cannot
 * be recorded fails none of the others.
 *
 * @throws NotTogether where nothing was answered, and each part of the batch is to be committed by itself
 */
async function commit<T>(
  options: BatchWriterOptions,
  batch: readonly Waiting<T>[],
  skipsLocked: boolean,
): Promise<readonly Waiting<T>[]> {
  if (batch.length === 0) {
    return []
  }
  try {
    const responses = await record(options, batch, skipsLocked)
    return batch.filter((one, i) => !isAnswered(one, responses[i]))
  } catch (error) {
    if (error instanceof NotTogether) {
      throw error
    }
    if (batch.length > 1 && !(error instanceof StoreUnavailable)) {
      return commitEach(options, batch, skipsLocked)
    }
    rejectAll(batch, error)
    return []
  }
}

async function commitEach<T>(
  options: BatchWriterOptions,
  batch: readonly Waiting<T>[],
  skipsLocked: boolean,
): Promise<readonly Waiting<T>[]> {
  const locked: Waiting<T>[] = []
  for (const one of batch) {
    locked.push(...(await commit(options, [one], skipsLocked)))
  }
  return locked
}

function rejectAll<T>(batch: readonly Waiting<T>[], error: unknown): void {
  for (const { reject } of batch) {
    reject(error)
  }
}

async function record<T>(
  { store, recorder, onBatchCommitted, trace = null }: BatchWriterOptions,
  batch: readonly Waiting<T>[],
  skipsLocked: boolean,
): Promise<readonly (T | TrustError | null)[]> {
  const submissions = batch.map(({ submission }) => submission)
  const startedAt = performance.now()
  const work = () => recordReports(store, recorder, submissions, { skipsLocked })
  const spans = trace === null ? [] : batch.flatMap(({ span }) => span ?? [])
  const written = trace === null ? await work() : await trace.flush(spans, work)
  const events = written.events.length
  if (events > 0) {
    const quarantined = written.events.filter(({ event }) => event.isQuarantined).length
    onBatchCommitted({ events, quarantined, seconds: (performance.now() - startedAt) / 1000 })
  }
  return written.responses
}

/** Answers a request, unless its agent is locked. */
function isAnswered<T>(
  { resolve, reject }: Waiting<T>,
  response: T | TrustError | null | undefined,
): boolean {
  if (response === undefined) {
    reject(new Error('a report was recorded without a response'))
  } else if (response instanceof TrustError) {
    reject(response)
  } else if (response !== null) {
    resolve(response)
  }
  return response !== null
}
