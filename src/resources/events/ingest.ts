import { TrustError } from '../../core/error.ts'
import type { Answer } from '../../http/answer.ts'
import { unavailable } from '../../http/errors.ts'
import { type IngestScope, type Store, StoreUnavailable } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { revokeFallen } from '../credentials/revocation.ts'
import { type Judged, judge } from './judge.ts'
import { namesOf, type Submission } from './submission.ts'

/** Takes events in: those of many requests in one transaction, each answered after its commit. */
export interface Ingest {
  submit(submission: Submission): Promise<Answer>
  /** Takes no more, and waits for those in flight. */
  close(): Promise<void>
}

/**
 * Events folded into one transaction at most. A commit waits for the disk once, however many events
 * it carries; beyond this many the last one waits longer for the others than it saves.
 */
const FLIGHT_EVENTS_MAX = 256

/** Events that may wait: some seconds of work. Beyond it, saying so at once is kinder than a queue. */
const WAITING_EVENTS_MAX = 10_000

/** Events that were committed together. */
export interface Flight {
  readonly events: number
  /** How many of them are held for review. */
  readonly held: number
  readonly seconds: number
}

interface Waiting {
  readonly submission: Submission
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: unknown) => void
}

export interface IngestOptions {
  readonly context: Context
  /** Told of each agent whose standing has changed. */
  readonly onChange: (agentId: string) => void
  /** Told of each transaction that stored events. */
  readonly onFlight: (flight: Flight) => void
}

export function createIngest({ context, onChange, onFlight }: IngestOptions): Ingest {
  let waiting: Waiting[] = []
  let waitingEvents = 0
  let flying: Promise<void> | null = null
  let closed = false

  /** While one flight commits, the next one fills: the busier it gets, the fewer commits an event costs. */
  async function fly(): Promise<void> {
    while (waiting.length > 0) {
      const flight = board()
      await commit(context, flight, onFlight)
      for (const { submission } of flight) onChange(submission.agentId)
    }
    flying = null
  }

  function board(): readonly Waiting[] {
    let events = 0
    let count = 0
    for (const { submission } of waiting) {
      if (count > 0 && events + submission.events.length > FLIGHT_EVENTS_MAX) break
      events += submission.events.length
      count++
    }
    const flight = waiting.slice(0, count)
    waiting = waiting.slice(count)
    waitingEvents -= events
    return flight
  }

  return {
    submit(submission) {
      if (closed) return Promise.reject(unavailable('the service is shutting down'))
      if (waitingEvents + submission.events.length > WAITING_EVENTS_MAX)
        return Promise.reject(unavailable('more events are waiting than can be taken in just now'))
      return new Promise<Answer>((resolve, reject) => {
        waiting.push({ submission, resolve, reject })
        waitingEvents += submission.events.length
        // The requests that arrived in this turn of the event loop board together.
        flying ??= new Promise<void>((next) => setImmediate(next)).then(fly)
      })
    },
    async close() {
      closed = true
      await flying
    },
  }
}

/** Commits a flight and answers it. What fails for one of its events is tried for each alone. */
async function commit(
  context: Context,
  flight: readonly Waiting[],
  onFlight: IngestOptions['onFlight'],
): Promise<void> {
  try {
    const answers = await takeIn(
      context.store,
      context,
      flight.map(({ submission }) => submission),
      onFlight,
    )
    for (const [i, { resolve, reject }] of flight.entries()) {
      const answer = answers[i]
      if (answer === undefined) reject(new Error('a submission was left without an answer'))
      else if (answer instanceof TrustError) reject(answer)
      else resolve(answer)
    }
  } catch (error) {
    if (flight.length === 1 || error instanceof StoreUnavailable)
      for (const { reject } of flight) reject(error)
    else for (const one of flight) await commit(context, [one], onFlight)
  }
}

/** Judges, folds and writes events in one transaction, the store's or, within one, that. */
export async function takeIn(
  store: Store,
  context: Context,
  submissions: readonly Submission[],
  onFlight?: IngestOptions['onFlight'],
): Promise<readonly (Answer | TrustError)[]> {
  const { now, newId, policy, rules } = context
  const settings = await rules.current(store)
  const startedAt = performance.now()
  const judged = await store.events.ingest(
    scopeOf(submissions, policy.rateLimits),
    (view) => judge(submissions, view, { now: now(), newId, policy, settings }),
    revokeWhatFell,
  )
  const held = judged.events.filter(({ event }) => event.isQuarantined).length
  const seconds = (performance.now() - startedAt) / 1000
  if (judged.events.length > 0) onFlight?.({ events: judged.events.length, held, seconds })
  return judged.answers
}

async function revokeWhatFell(within: Store, { falls }: Judged): Promise<void> {
  for (const { agentId, score, at } of falls) await revokeFallen(within, agentId, score, at)
}

function scopeOf(submissions: readonly Submission[], countsHours: boolean): IngestScope {
  const platforms = submissions.filter(({ reporter }) => reporter.kind === 'platform')
  const platformIds = [...new Set(platforms.map(({ reporter }) => reporter.id))]
  const vouchers = platforms.flatMap(({ reporterOwnerId }) => reporterOwnerId ?? [])
  return {
    agentIds: [...new Set(submissions.map(({ agentId }) => agentId))],
    platformIds: countsHours ? platformIds : [],
    reporterIds: platformIds,
    voucherIds: [...new Set(vouchers)],
    externalIds: submissions.flatMap(namesOf),
    keptScopes: submissions.flatMap(({ keeping }) => (keeping ? [keeping.scope] : [])),
  }
}
