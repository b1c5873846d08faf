import type { Attempt } from '../attempt.ts'
import {
  CLAIM_MS,
  type Claimed,
  type ClaimRequest,
  type DeliveryStore,
  type Done,
  type Job,
} from '../delivery-store.ts'
import {
  afterAttempt,
  HEALTHY,
  type Health,
  nextAttemptAt,
  probing,
  sendable,
} from '../schedule.ts'

interface Row extends Job {
  readonly body: string
  attempts: Attempt[]
  /** Not to be claimed before: a retry's time, or the end of another's claim. */
  dueAt: number
  isDone: boolean
}

export interface MemoryStore extends DeliveryStore<Row> {
  readonly rows: Row[]
  readonly claims: () => number
  readonly healthOf: (subscriptionId: string) => Health
  readonly insert: (subscriptionId: string, lane: string | null, body?: string) => Row
}

/** What the contract in delivery-store.ts says, in memory and in as few words as it can be said. */
export function createMemoryStore(): MemoryStore {
  const rows: Row[] = []
  let undone: Row[] = []
  const health = new Map<string, Health>()
  let claims = 0

  const healthOf = (id: string) => health.get(id) ?? HEALTHY

  function insert(subscriptionId: string, lane: string | null, body = ''): Row {
    const state = { attempts: [], dueAt: 0, isDone: false }
    const row: Row = { id: `job_${rows.length}`, subscriptionId, lane, body, ...state }
    rows.push(row)
    undone.push(row)
    return row
  }

  async function claim(request: ClaimRequest): Promise<Claimed<Row>> {
    claims += 1
    const found: { readonly row: Row; readonly turn: number }[] = []
    const counts = new Map<string, number>()
    const blocked = new Set<string>()
    for (const row of undone) {
      const lane = `${row.subscriptionId}/${row.lane}`
      const count = counts.get(row.subscriptionId) ?? 0
      const share = request.shares.get(row.subscriptionId) ?? request.share
      const allowed = { any: share, probe: Math.min(share, 1), none: 0 }
      const max = allowed[sendable(healthOf(row.subscriptionId), request.now)]
      const isFree = row.dueAt <= request.now && (row.lane === null || !blocked.has(lane))
      if (isFree && count < max) {
        found.push({ row, turn: count })
        counts.set(row.subscriptionId, count + 1)
      } else {
        blocked.add(lane)
      }
    }
    const inTurns = found.toSorted((a, b) => a.turn - b.turn).map(({ row }) => row)
    const jobs = inTurns.slice(0, request.limit)
    for (const row of jobs) {
      take(row, request.now)
    }
    const later = undone.map((row) => row.dueAt).filter((dueAt) => dueAt > request.now)
    const nextAt = later.length === 0 ? null : later.reduce((a, b) => Math.min(a, b))
    return { jobs, nextAt }
  }

  function take(row: Row, now: number) {
    row.dueAt = now + CLAIM_MS
    const state = healthOf(row.subscriptionId)
    if (state.status === 'paused') {
      health.set(row.subscriptionId, probing(state, now))
    }
  }

  async function record(done: readonly Done<Row>[], back: readonly Row[]) {
    for (const { job, attempt, endedAt } of done) {
      job.attempts.push(attempt)
      const next = nextAttemptAt(job.attempts.length, endedAt, () => 0.5, attempt.retryAfterMs)
      job.isDone = attempt.outcome === 'delivered' || next === null
      job.dueAt = next ?? 0
      health.set(job.subscriptionId, afterAttempt(healthOf(job.subscriptionId), attempt, endedAt))
    }
    for (const row of back) {
      row.dueAt = 0
    }
    undone = undone.filter((row) => !row.isDone)
    const closed = done
      .filter(({ job, endedAt }) => sendable(healthOf(job.subscriptionId), endedAt) !== 'any')
      .map(({ job }) => job.subscriptionId)
    return { closed: [...new Set(closed)], more: undone.some((row) => row.dueAt <= Date.now()) }
  }

  return { rows, claims: () => claims, healthOf, insert, claim, record }
}
