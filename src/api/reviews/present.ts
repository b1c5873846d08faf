import type { RecordedEvent } from '../../domain/agent.ts'
import { eventCount } from '../../domain/evidence-state.ts'
import { classify } from '../../domain/tiers.ts'
import { NO_REPORTS, type ReporterStats } from '../../fraud/reporter-stats.ts'
import type { AgentState, Store } from '../../store/store.ts'
import { presentEvent } from '../events/present.ts'
import { shownAgreement } from '../platforms/present.ts'
import { time } from '../wire.ts'

/** Presents each event with the history of its agent and of its reporter. */
export async function itemPresenter(store: Store, events: readonly RecordedEvent[]) {
  const agentIds = [...new Set(events.map(({ agentId }) => agentId))]
  const platforms = events.filter(({ reporter }) => reporter.kind === 'platform')
  const platformIds = [...new Set(platforms.map(({ reporter }) => reporter.id))]
  const agentStates = await store.agentStates.findMany(agentIds)
  const records = await store.reporters.findMany(platformIds)
  return (event: RecordedEvent) =>
    presentItem(event, agentStates.get(event.agentId), records.get(event.reporter.id))
}

function presentItem(
  event: RecordedEvent,
  agentState: AgentState | undefined,
  record: ReporterStats | undefined,
) {
  return {
    ...presentEvent(event),
    findings: event.findings,
    agent: agentState ? presentHistory(agentState) : null,
    reporterRecord: event.reporter.kind === 'platform' ? presentRecord(record) : null,
  }
}

function presentHistory({
  status,
  score,
  quarantinedCount: quarantined,
  evidence,
  profile,
}: AgentState) {
  const { activeDays, lastDay, usualGood, payments, paymentMean, reporters } = profile
  return {
    status,
    score,
    classification: classify(score),
    events: eventCount(evidence),
    quarantined,
    registeredAt: time(evidence.registeredAt),
    daysActive: activeDays + (lastDay < 0 ? 0 : 1),
    usualPerDay: usualGood,
    payments: { count: payments, usualUsd: Math.round(2 ** paymentMean - 1) },
    platforms: reporters.map(({ good, bad, days }) => ({ good, bad, days })),
  }
}

function presentRecord(record: ReporterStats = NO_REPORTS) {
  const { events: total, quarantined, released, upheld } = record
  return { agreement: shownAgreement(record), total, quarantined, released, upheld }
}
