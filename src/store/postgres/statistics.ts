import type pg from 'pg'
import type { Endorsement } from '../../fraud/endorsements.ts'
import { mergeReporterStats, mergeWorkStats } from '../../fraud/merge-stats.ts'
import { NO_REPORTS, type ReporterStats } from '../../fraud/reporter-stats.ts'
import { NO_WORK, type WorkStats } from '../../fraud/work-stats.ts'
import { createBatcher } from '../../lib/batcher.ts'
import { pause } from '../../lib/pause.ts'
import type { IngestResult, IngestView } from '../ingest.ts'
import { saveEndorsements } from './endorsements.ts'
import { lockReporters, saveReporters } from './reporters.ts'
import { newVersion } from './state-cache.ts'
import { inTransaction } from './transaction.ts'
import { readWorkStats, saveWorkStats } from './work-stats.ts'

/**
 * Writes the statistics of platforms after the reports that change them. On a cluster, agents and platforms lie on
 * different servers, and this way the reports of a platform do not wait for each other's commit.
 */
export interface StatisticsWriter {
  /** To be called for reports that were committed. */
  add(view: IngestView, result: IngestResult): void
  /** Resolves once all that was added before is written, or given up. */
  written(): Promise<void>
  /** Calls back with the statistics of a platform as they were added, and as they were written. */
  subscribe(written: Written): void
}

type Written = (platformId: string, added: ReporterStats, written: ReporterStats) => void

/** An addition to statistics: the difference between the two. */
interface Step<T> {
  readonly before: T
  readonly after: T
}

interface Waiting {
  readonly reporters: Map<string, Step<ReporterStats>[]>
  readonly works: Map<string, Step<WorkStats>[]>
  endorsements: readonly Endorsement[]
  /** Called once it is written. */
  readonly waiters: (() => void)[]
}

/**
 * Statistics that cannot be written for longer are given up: a coordinator restarts or fails over within some ten
 * seconds, and a client waits thirty for its request.
 */
const FAILING_MAX_MS = 20_000

/** Between two attempts. A connection may be refused at once, so the attempts alone take no time. */
const RETRY_MS = 250

/**
 * Between two writes, unless one is waited for. Written all the time, they were one in five of the coordinator's
 * transactions, and each waits for the disk. What is lost when a node is killed is this much.
 */
const PAUSE_MS = 100

export function createStatisticsWriter(pool: pg.Pool): StatisticsWriter {
  const subscribers: Written[] = []
  let waiting = nothing()
  /** What is being written. */
  let taken = nothing()
  let failingSince: number | null = null
  let waited = new AbortController()

  async function flush(): Promise<void> {
    taken = waiting
    waiting = nothing()
    try {
      publish(taken, await write(pool, taken))
      failingSince = null
      settle(taken)
    } catch {
      const now = performance.now()
      failingSince ??= now
      if (now - failingSince > FAILING_MAX_MS) {
        settle(taken)
      } else {
        waiting = joined(taken, waiting)
      }
    }
    taken = nothing()
  }

  async function rest(): Promise<void> {
    if (failingSince !== null) {
      await pause(RETRY_MS)
    } else if (waiting.waiters.length === 0) {
      waited = new AbortController()
      await pause(PAUSE_MS, waited.signal)
    }
  }

  function publish(taken: Waiting, written: ReadonlyMap<string, ReporterStats>): void {
    for (const [platformId, stats] of written) {
      const added = taken.reporters.get(platformId)?.at(-1)?.after ?? stats
      for (const subscriber of subscribers) {
        subscriber(platformId, added, stats)
      }
    }
  }

  const { wake } = createBatcher({
    hasWaiting: () => waiting.reporters.size > 0,
    flush: () => flush().then(rest),
  })
  return {
    add(view, result) {
      for (const { platformId, record } of result.reporters) {
        push(waiting.reporters, platformId, view.reporters.get(platformId) ?? NO_REPORTS, record)
      }
      for (const { kind, stats } of result.works) {
        push(waiting.works, kind, view.works.get(kind) ?? NO_WORK, stats)
      }
      waiting.endorsements = [...waiting.endorsements, ...result.endorsements]
      wake()
    },
    async written() {
      const last = waiting.reporters.size > 0 ? waiting : taken
      if (last.reporters.size > 0) {
        await new Promise<void>((resolve) => {
          last.waiters.push(resolve)
          waited.abort()
        })
      }
    },
    subscribe: (written) => void subscribers.push(written),
  }
}

function settle({ waiters }: Waiting): void {
  for (const waiter of waiters) {
    waiter()
  }
}

function nothing(): Waiting {
  return { reporters: new Map(), works: new Map(), endorsements: [], waiters: [] }
}

/** Adds a step. One that begins where the last one ends is joined to it. */
function push<T>(steps: Map<string, Step<T>[]>, key: string, before: T, after: T): void {
  const known = steps.get(key) ?? []
  const last = known.at(-1)
  steps.set(
    key,
    last?.after === before
      ? [...known.slice(0, -1), { before: last.before, after }]
      : [...known, { before, after }],
  )
}

function joined(first: Waiting, later: Waiting): Waiting {
  const both = <T>(a: Map<string, Step<T>[]>, b: Map<string, Step<T>[]>) => {
    const all = new Map(a)
    for (const [key, steps] of b) {
      all.set(key, [...(all.get(key) ?? []), ...steps])
    }
    return all
  }
  return {
    reporters: both(first.reporters, later.reporters),
    works: both(first.works, later.works),
    endorsements: [...first.endorsements, ...later.endorsements],
    waiters: [...first.waiters, ...later.waiters],
  }
}

async function write(
  pool: pg.Pool,
  { reporters, works, endorsements }: Waiting,
): Promise<ReadonlyMap<string, ReporterStats>> {
  return inTransaction(pool, async ({ sql }) => {
    const [locked, known] = await Promise.all([
      lockReporters(sql, [...reporters.keys()].toSorted()),
      readWorkStats(sql, [...works.keys()]),
    ])
    const merged = new Map(
      [...reporters].map(([id, steps]) => [
        id,
        after(steps, locked.get(id) ?? NO_REPORTS, mergeReporterStats),
      ]),
    )
    const learnt = [...works].map(([kind, steps]) => ({
      kind,
      stats: after(steps, known.get(kind) ?? NO_WORK, mergeWorkStats),
    }))
    await Promise.all([
      saveReporters(
        sql,
        [...merged].map(([platformId, record]) => ({ platformId, record })),
        newVersion(),
      ),
      saveWorkStats(sql, learnt, known),
      saveEndorsements(sql, endorsements),
    ])
    return merged
  })
}

function after<T>(
  steps: readonly Step<T>[],
  current: T,
  merge: (before: T, after: T, current: T) => T,
): T {
  return steps.reduce((merged, step) => merge(step.before, step.after, merged), current)
}
