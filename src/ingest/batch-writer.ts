import type { Context } from '../context.ts'
import { revokeFallen } from '../credentials/revocation.ts'
import { TrustError, unavailable } from '../domain/error.ts'
import type { Response } from '../http/response.ts'
import { createSemaphore, type SemaphoreOptions } from '../lib/semaphore.ts'
import { type IngestScope, type Store, StoreUnavailable } from '../store/store.ts'
import { type BatchDecision, decideBatch } from './decide.ts'
import { namesOf, type Submission } from './submission.ts'

/** Takes events in: those of many requests in one transaction, each answered after its commit. */
export interface Ingest {
  submit(submission: Submission): Promise<Response>
  /** Takes no more, and waits for those in flight. */
  close(): Promise<void>
}

/**
 * Events folded into one transaction at most. A commit waits for the disk once, however many events
 * it carries; beyond this many the last one waits longer for the others than it saves.
 */
const BATCH_EVENTS_MAX = 256

/** Events that may wait: some seconds of work. Beyond it, saying so at once is kinder than a queue. */
const WAITING_EVENTS_MAX = 10_000

/** Events that were committed together. */
export interface CommittedBatch {
  readonly events: number
  /** How many of them are held for review. */
  readonly held: number
  readonly seconds: number
}

interface Waiting {
  readonly submission: Submission
  readonly resolve: (answer: Response) => void
  readonly reject: (error: unknown) => void
}

export interface IngestOptions {
  readonly context: Context
  /** Told of each agent whose standing has changed. */
  readonly onChange: (agentId: string) => void
  /** Told of each transaction that stored events. */
  readonly onBatchCommitted: (flight: CommittedBatch) => void
}

/**
 * Agents waited for at a time, each on a connection of its own, and those that wait for their turn. A
 * lock is given up after two seconds, so that the last of them waits some twenty.
 */
const LOCKED_AGENTS: SemaphoreOptions = {
  runningMax: 4,
  waitingMax: 36,
  refusal: 'too many agents are locked just now',
}

/** What waits for one agent that somebody else has locked, in the order it came. */
interface AgentQueue {
  readonly queue: Waiting[]
  done: Promise<void>
}

export function createIngest({
  context,
  onChange,
  onBatchCommitted: onFlight,
}: IngestOptions): Ingest {
  const waiting: Waiting[] = []
  let waitingEvents = 0
  let flying: Promise<void> | null = null
  let closed = false
  const lanes = new Map<string, AgentQueue>()
  const gate = createSemaphore(LOCKED_AGENTS)

  /** While one flight commits, the next one fills: the busier it gets, the fewer commits an event costs. */
  async function fly(): Promise<void> {
    while (waiting.length > 0) {
      const flight: Waiting[] = []
      // Whoever comes after one that was set aside stays behind it.
      for (const one of takeBatch(waiting)) {
        if (lanes.has(one.submission.agentId)) {
          setAside(one)
        } else {
          flight.push(one)
        }
      }
      for (const one of await depart(flight, true)) {
        setAside(one)
      }
    }
    flying = null
  }

  /** Commits a flight, and answers those whose agents somebody else has locked. */
  async function depart(
    flight: readonly Waiting[],
    skipsLocked: boolean,
  ): Promise<readonly Waiting[]> {
    if (flight.length === 0) {
      return []
    }
    const left = await commit(context, flight, { skipsLocked, onFlight })
    for (const { submission } of flight) {
      onChange(submission.agentId)
    }
    for (const { submission } of flight) {
      waitingEvents -= submission.events.length
    }
    for (const { submission } of left) {
      waitingEvents += submission.events.length
    }
    return left
  }

  function setAside(one: Waiting): void {
    const { agentId } = one.submission
    const lane = lanes.get(agentId)
    if (lane) {
      return void lane.queue.push(one)
    }
    const begun: AgentQueue = { queue: [one], done: Promise.resolve() }
    lanes.set(agentId, begun)
    begun.done = drain(agentId, begun.queue)
  }

  /** Commits what waits for one agent in flights of their own, which wait for its lock. */
  async function drain(agentId: string, queue: Waiting[]): Promise<void> {
    while (queue.length > 0) {
      try {
        await gate.run(() => depart(takeBatch(queue), false))
      } catch (error) {
        for (const { submission, reject } of queue.splice(0)) {
          waitingEvents -= submission.events.length
          reject(error)
        }
      }
    }
    lanes.delete(agentId)
  }

  return {
    submit(submission) {
      if (closed) {
        return Promise.reject(unavailable('the service is shutting down'))
      }
      if (waitingEvents + submission.events.length > WAITING_EVENTS_MAX) {
        return Promise.reject(unavailable('more events are waiting than can be taken in just now'))
      }
      return new Promise<Response>((resolve, reject) => {
        waiting.push({ submission, resolve, reject })
        waitingEvents += submission.events.length
        // The requests that arrived in this turn of the event loop board together.
        flying ??= new Promise<void>((next) => setImmediate(next)).then(fly)
      })
    },
    async close() {
      closed = true
      await flying
      await Promise.all([...lanes.values()].map(({ done }) => done))
    },
  }
}

/** Takes from a queue what fits into one flight, at least one. */
function takeBatch(queue: Waiting[]): readonly Waiting[] {
  let events = 0
  let count = 0
  for (const { submission } of queue) {
    if (count > 0 && events + submission.events.length > BATCH_EVENTS_MAX) {
      break
    }
    events += submission.events.length
    count++
  }
  return queue.splice(0, count)
}

interface CommitOptions {
  readonly skipsLocked: boolean
  readonly onFlight: IngestOptions['onBatchCommitted']
}

/**
 * Commits a flight and answers it, but for those whose agents somebody else has locked: they are given
 * back. What fails for one of its events is tried for each alone.
 */
async function commit(
  context: Context,
  flight: readonly Waiting[],
  options: CommitOptions,
): Promise<readonly Waiting[]> {
  const left: Waiting[] = []
  try {
    const submissions = flight.map(({ submission }) => submission)
    const answers = await writeBatch(context.store, context, submissions, options)
    for (const [i, one] of flight.entries()) {
      const answer = answers[i]
      if (answer === undefined) {
        one.reject(new Error('a submission was left without an answer'))
      } else if (answer === null) {
        left.push(one)
      } else if (answer instanceof TrustError) {
        one.reject(answer)
      } else {
        one.resolve(answer)
      }
    }
  } catch (error) {
    if (flight.length === 1 || error instanceof StoreUnavailable) {
      for (const { reject } of flight) {
        reject(error)
      }
    } else {
      for (const one of flight) {
        left.push(...(await commit(context, [one], options)))
      }
    }
  }
  return left
}

/** Judges, folds and writes events in one transaction, the store's or, within one, that. */
export async function writeBatch(
  store: Store,
  context: Context,
  submissions: readonly Submission[],
  { skipsLocked = false, onFlight }: Partial<CommitOptions> = {},
): Promise<BatchDecision['answers']> {
  const { now, newId, policy, rules } = context
  const settings = await rules.current(store)
  const startedAt = performance.now()
  const judged = await store.events.ingest(
    { ...scopeOf(submissions, policy.rateLimits), skipsLocked },
    (view) => decideBatch(submissions, view, { now: now(), newId, policy, settings }),
    revokeWhatFell,
  )
  const held = judged.events.filter(({ event }) => event.isQuarantined).length
  const seconds = (performance.now() - startedAt) / 1000
  if (judged.events.length > 0) {
    onFlight?.({ events: judged.events.length, held, seconds })
  }
  return judged.answers
}

async function revokeWhatFell(within: Store, { falls }: BatchDecision): Promise<void> {
  for (const { agentId, score, at } of falls) {
    await revokeFallen(within, agentId, score, at)
  }
}

function scopeOf(submissions: readonly Submission[], countsHours: boolean): IngestScope {
  const platforms = submissions.filter(({ reporter }) => reporter.kind === 'platform')
  const platformIds = [...new Set(platforms.map(({ reporter }) => reporter.id))]
  const vouchers = platforms.flatMap(({ reporterOwnerId }) => reporterOwnerId ?? [])
  return {
    agentIds: [...new Set(submissions.map(({ agentId }) => agentId))],
    platformIds: countsHours ? platformIds : [],
    reporterIds: platformIds,
    endorserIds: [...new Set(vouchers)],
    externalIds: submissions.flatMap(namesOf),
    idempotencyScopes: submissions.flatMap(({ idempotency: keeping }) =>
      keeping ? [keeping.scope] : [],
    ),
  }
}
