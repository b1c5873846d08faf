import { type Backtest, backtest, type PastDeal } from '../domain/backtest.ts'
import { toUsd } from '../domain/currency.ts'
import type { AgentFacts } from '../domain/decision.ts'
import { DEAL_TYPES, type EventType } from '../domain/event.ts'
import type { Policy } from '../domain/policy.ts'
import type { Snapshot } from '../domain/snapshot.ts'
import { confidenceOf, NEW_AGENT_SCORE } from '../domain/tiers.ts'
import { groupBy } from '../lib/group-by.ts'
import { inParts } from '../lib/parts.ts'
import type { AbortCheck } from '../lib/signal-after.ts'
import type { PastReport, Store } from '../store/store.ts'
import { DISCARDED, isGood, REPORTS_MAX, sinceDiscarded } from './experience.ts'

/** Payments that did not come. A late one came. */
const LOSSES: readonly EventType[] = ['payment.failed', 'payment.disputed']

/** Decided on in some hundredths of a second, so that other requests wait no longer than that. */
const DEALS_MAX = 20_000

/** Agents whose snapshots are looked for at a time. */
const AGENTS_PART = 100

export interface Period {
  readonly from: number
  readonly to: number
}

export interface PolicyTest extends Backtest {
  /** Whether there were more deals in the period than are tested; the newest are. */
  readonly isTruncated: boolean
}

export interface PolicyTesting {
  readonly store: Store
  /** Ends the work when no client waits for it any more, or when it takes too long. */
  readonly signal: AbortCheck
}

/**
 * What a policy would have decided on the deals that a platform reported, and what came of them. Deals that were
 * reported before the operator discarded the platform's reports are left out.
 */
export async function testPolicy(
  { store, signal }: PolicyTesting,
  platformId: string,
  policy: Policy,
  period: Period,
): Promise<PolicyTest> {
  const discard = await store.discards.latestOf(platformId)
  const from = Math.max(period.from, discard?.requestedAt ?? 0)
  // What an agent's log has between the request and the event is discarded, too.
  const query = { from, to: period.to, types: [...DEAL_TYPES, DISCARDED], limit: DEALS_MAX }
  const { rows, more } = await store.events.reportedBy(platformId, query)
  const byAgent = new Map(
    [...groupBy(rows, ({ agentId }) => agentId)].map(([agentId, reports]) => [
      agentId,
      sinceDiscarded(reports).toReversed(),
    ]),
  )
  const deals: PastDeal[] = []
  const agentIds = [...byAgent.keys()]
  for (const part of inParts(agentIds, AGENTS_PART)) {
    const known = await knownBefore({ store, signal }, byAgent, part, period)
    for (const agentId of part) {
      deals.push(...dealsOf(byAgent.get(agentId) ?? [], known.get(agentId) ?? []))
    }
  }
  return { ...backtest(policy, deals), isTruncated: more }
}

type Reports = ReadonlyMap<string, readonly PastReport[]>

/** Of the snapshots of each agent those that are the last before a report, in the order of the log. */
async function knownBefore(
  { store, signal }: PolicyTesting,
  reports: Reports,
  agentIds: readonly string[],
  { from, to }: Period,
): Promise<ReadonlyMap<string, readonly Snapshot[]>> {
  // At the index of the first report after it: a later one takes its place.
  const known = new Map(agentIds.map((agentId) => [agentId, new Map<number, Snapshot>()]))
  for await (const part of store.snapshots.within(agentIds, from, to)) {
    signal.throwIfAborted()
    for (const snapshot of part) {
      const { agentId, seq } = snapshot
      known.get(agentId)?.set(countUpTo(reports.get(agentId) ?? [], seq), snapshot)
    }
  }
  return new Map([...known].map(([agentId, found]) => [agentId, [...found.values()]]))
}

/** How many of the reports, which are in the order of the log, are up to this event. */
function countUpTo(reports: readonly PastReport[], seq: number): number {
  let from = 0
  let to = reports.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((reports[middle]?.seq ?? 0) <= seq) {
      from = middle + 1
    } else {
      to = middle
    }
  }
  return from
}

/** The deals with one agent, each with the agent's score just before. Both in the order of the log. */
function dealsOf(reports: readonly PastReport[], snapshots: readonly Snapshot[]): PastDeal[] {
  const outcomes: boolean[] = []
  let next = 0
  let known = NEW_AGENT
  return reports.map((report) => {
    for (; (snapshots[next]?.seq ?? Number.POSITIVE_INFINITY) < report.seq; next++) {
      known = knownBy(snapshots[next])
    }
    const before = outcomes.slice(-REPORTS_MAX)
    const good = before.filter((one) => one).length
    const deal = dealOf(report, known, { good, bad: before.length - good })
    outcomes.push(deal.isGood)
    return deal
  })
}

function dealOf(report: PastReport, agent: AgentFacts, own: PastDeal['own']): PastDeal {
  const { type, data } = report
  const amountUsd = data.amount === undefined ? null : toUsd(data.amount, data.currency)
  const lossUsd = LOSSES.includes(type) ? (amountUsd ?? 0) : 0
  return { agent, own, isGood: isGood(report), amountUsd, lossUsd }
}

/** Before its first snapshot an agent has what a new one has. Deals were made while it was active. */
const NEW_AGENT: AgentFacts = {
  status: 'active',
  score: NEW_AGENT_SCORE,
  confidence: 'low',
  disputed: { isDisputed: false, platformsFor: 0, platformsAgainst: 0 },
  exposureLimit: null,
}

function knownBy(snapshot: Snapshot | undefined): AgentFacts {
  if (!snapshot) {
    return NEW_AGENT
  }
  const { score, eventCount, disputed, exposureLimit } = snapshot
  return {
    status: 'active',
    score,
    confidence: confidenceOf(eventCount),
    disputed,
    exposureLimit,
  }
}
