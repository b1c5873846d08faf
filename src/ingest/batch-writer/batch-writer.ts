import { overloaded, unavailable } from '../../domain/error.ts'
import { createSemaphore, type SemaphoreOptions } from '../../lib/semaphore.ts'
import { NotTogether } from '../../store/store.ts'
import type { Submission } from '../record-reports.ts'
import { type BatchWriterOptions, commit, rejectAll } from './commit.ts'
import { addTo, createQueue, type Queue, type QueuedReport } from './queue.ts'

/** Records the reports of many requests in one transaction, and answers each after its commit. */
export interface BatchWriter {
  submit<T>(submission: Submission<T>): Promise<T>
  /** Events that wait or are being committed, and agents whose reports wait for a lock. */
  state(): { readonly waitingEvents: number; readonly lockedAgents: number }
  /** Takes no more, and resolves once all that was taken is answered. */
  close(): Promise<void>
}

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

/**
 * While one batch commits, the next one gathers: the busier the service, the fewer commits an event
 * costs. Reports about an agent that another transaction has locked are set aside, each agent's in a
 * queue of its own that waits for the lock, so that they delay no other agent. So are the parts of a batch that
 * cannot be stored together.
 */
export function createBatchWriter(options: BatchWriterOptions): BatchWriter {
  const { groupOf, partOf, atOnce } = options.store.events.batching
  const sharedQueues = new Map<number, Queue>()
  const partQueues = new Map<number, Queue>()
  const agentQueues = new Map<string, Queue>()
  const lockedAgents = createSemaphore(LOCKED_AGENTS)
  let waitingEvents = 0
  let isClosed = false

  // A report stays behind an earlier one in a queue of its own: first one about its part, then one about its agent.
  async function commitShared(batch: readonly QueuedReport[]): Promise<void> {
    const isBehind = (one: QueuedReport) =>
      partQueues.size > 0 && partQueues.has(partOf(agentOf(one)))
    const free = batch.filter((one) => !isBehind(one))
    queueByPart(batch.filter(isBehind))
    try {
      await commitPart(free)
    } catch (error) {
      if (!(error instanceof NotTogether)) {
        throw error
      }
      queueByPart(free)
    }
  }

  async function commitPart(batch: readonly QueuedReport[]): Promise<void> {
    const isBehind = (one: QueuedReport) => agentQueues.has(agentOf(one))
    const behind = batch.filter(isBehind)
    const free = batch.filter((one) => !isBehind(one))
    const locked = await commit(options, free, true)
    queueByAgent([...behind, ...locked])
  }

  /** Of the reports that lie together with those about this agent. */
  function sharedQueueOf(agentId: string): Queue {
    const group = groupOf(agentId)
    const queue = sharedQueues.get(group) ?? createQueue(commitShared, atOnce)
    sharedQueues.set(group, queue)
    return queue
  }

  function queueByPart(reports: readonly QueuedReport[]): void {
    for (const one of reports) {
      addTo(partQueues, partOf(agentOf(one)), one, commitPart)
    }
  }

  function queueByAgent(reports: readonly QueuedReport[]): void {
    for (const one of reports) {
      addTo(agentQueues, agentOf(one), one, commitLocked)
    }
  }

  async function commitLocked(batch: readonly QueuedReport[]): Promise<void> {
    try {
      await lockedAgents.run(() => commit(options, batch, false))
    } catch (error) {
      rejectAll(batch, error)
    }
  }

  return {
    submit<T>(submission: Submission<T>) {
      const events = submission.report.events.length
      if (isClosed) {
        return Promise.reject(
          unavailable('the service is shutting down', { reason: 'shutting_down' }),
        )
      }
      if (waitingEvents + events > WAITING_EVENTS_MAX) {
        return Promise.reject(overloaded('too many events are waiting; retry'))
      }
      waitingEvents += events
      const answered = new Promise<T>((resolve, reject) => {
        const span = options.trace?.current() ?? null
        // A report is answered by what its own submission makes of the outcome.
        const settle = resolve as QueuedReport['resolve']
        sharedQueueOf(submission.report.agentId).add({ submission, span, resolve: settle, reject })
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

function agentOf({ submission }: QueuedReport): string {
  return submission.report.agentId
}
