import { type Answer, type ClientOptions, createClient } from './client.ts'
import type { Ledger, Outcome } from './ledger.ts'

/** Who reports about whom, and where. */
export interface LoadOptions extends ClientOptions {
  readonly ledger: Ledger
  readonly agentIds: readonly string[]
  /** Reports sent side by side. */
  readonly workers: number
  /** The number of the first report: unique in a run. */
  readonly firstN: number
}

export interface Load {
  /** Resolves once this many more were acknowledged; rejects if that does not happen. */
  more(count: number): Promise<void>
  /** No new reports; those without a definite outcome are sent again until they have one. */
  stop(): Promise<LoadResult>
  /** Stops as well, and waits for nothing. */
  abandon(): void
}

export interface LoadResult {
  /** Requests without an answer, or with a 503: each was sent again. */
  readonly retried: number
  /** Answers that a service may never give: a 500, or a refusal of what is right. */
  readonly faults: readonly string[]
  /** Reports without a definite outcome at the end. */
  readonly unknown: number
}

interface Report {
  readonly n: number
  readonly agentId: string
  readonly externalId: string | null
  readonly type: string
}

/** How long the service may take to acknowledge what is waited for, also after the worst fault. */
const STALLED_MS = 180_000

/** How long reports may take to get their outcome after the fault is over. */
const SETTLE_MAX_MS = 90_000

/** Of this many requests one is a batch, and one is sent to two nodes at the same time. */
const EVERY = 8
const BATCH = 5

/** Reports that anyone may send, again and again, from as many clients as there are workers. */
export function startLoad(options: LoadOptions): Load {
  const { ledger, agentIds, workers, firstN } = options
  const client = createClient(options)
  const progress = createProgress()
  let nextN = firstN
  let unknown = 0
  let isStopped = false

  function newReport(agentId = agentIds[nextN % agentIds.length] ?? ''): Report {
    const n = nextN++
    // Half of them have a name of their own; the others have their Idempotency-Key alone.
    return {
      n,
      agentId,
      externalId: n % 2 === 0 ? `torture-${n}` : null,
      type: n % 11 === 3 ? 'task.failed' : 'task.completed',
    }
  }

  async function conclude(outcomes: readonly Outcome[]): Promise<void> {
    await ledger.conclude(outcomes)
    progress.add(outcomes.filter((outcome) => 'id' in outcome).length)
  }

  async function single(worker: number, copies: number): Promise<void> {
    const report = newReport()
    await ledger.intend([intentOf(report)])
    const path = `/v1/agents/${report.agentId}/events`
    const asked = { path, key: `key-${report.n}`, body: bodyOf(report) }
    const answers = await Promise.all(
      Array.from({ length: copies }, (_, i) => client.settle(asked, worker + i)),
    )
    const known = answers.flatMap((answer) => (answer ? [outcomeOf(report.n, answer)] : []))
    unknown += known.length === 0 ? 1 : 0
    await ledger.conclude(known.slice(1))
    await conclude(known.slice(0, 1))
  }

  async function batch(worker: number): Promise<void> {
    const first = newReport()
    const reports = [first, ...Array.from({ length: BATCH - 1 }, () => newReport(first.agentId))]
    await ledger.intend(reports.map(intentOf))
    const path = `/v1/agents/${first.agentId}/events/batch`
    const body = { events: reports.map(bodyOf) }
    const answer = await client.settle({ path, key: `batch-${first.n}`, body }, worker)
    if (answer) {
      await conclude(outcomesOf(reports, answer))
    } else {
      unknown += BATCH
    }
  }

  async function worker(number: number): Promise<void> {
    for (let i = number; !isStopped; i++) {
      const turn = i % EVERY
      await (turn === 0 ? batch(number) : single(number, turn === 1 ? 2 : 1))
    }
  }

  const running = Array.from({ length: workers }, (_, i) => worker(i))
  // An error here is thrown by `stop`; it is not an unhandled rejection.
  const ended = Promise.all(running)
  ended.catch(() => {})
  return {
    more: progress.more,
    async stop() {
      isStopped = true
      client.giveUpAfter(SETTLE_MAX_MS)
      await ended
      return { retried: client.retried(), faults: client.faults, unknown }
    },
    abandon() {
      isStopped = true
      client.giveUpAfter(0)
    },
  }
}

/** Counts, and lets others wait for a count. */
function createProgress() {
  const waiting = new Set<{ readonly count: number; readonly reached: () => void }>()
  let reached = 0
  return {
    add(count: number): void {
      reached += count
      for (const one of waiting) {
        if (one.count <= reached) {
          one.reached()
        }
      }
    },
    more(count: number): Promise<void> {
      const from = reached
      return new Promise((resolve, reject) => {
        const stalled = setTimeout(() => {
          waiting.delete(one)
          reject(new Error(`${reached - from} reports, not ${count}, in ${STALLED_MS / 1_000} s`))
        }, STALLED_MS)
        const one = {
          count: from + count,
          reached() {
            clearTimeout(stalled)
            waiting.delete(one)
            resolve()
          },
        }
        waiting.add(one)
      })
    },
  }
}

function intentOf({ n, agentId, externalId }: Report) {
  return { n, agentId, externalId }
}

function bodyOf({ n, externalId, type }: Report) {
  return { type, data: { duration: n }, ...(externalId && { externalId }) }
}

function outcomeOf(n: number, { status, body }: Answer): Outcome {
  const { id } = body as { id?: string }
  return status < 300 && id !== undefined ? { n, id } : { n, refused: shown(status, body) }
}

/** A batch names each event that it took; its number says which report that was. */
function outcomesOf(reports: readonly Report[], { status, body }: Answer): readonly Outcome[] {
  const { data = [] } = body as { data?: { id: string; data: { duration: number } }[] }
  const ids = new Map(data.map(({ id, data: { duration } }) => [duration, id]))
  return reports.map(({ n }) => {
    const id = ids.get(n)
    return id === undefined ? { n, refused: shown(status, body) } : { n, id }
  })
}

function shown(status: number, body: unknown): string {
  return `${status} ${JSON.stringify(body).slice(0, 200)}`
}
