import { encodeEvidence } from '../../src/domain/evidence-codec.ts'
import { MODEL } from '../../src/domain/model.ts'
import { HOUR_MS } from '../../src/domain/time.ts'
import type { IngestLimits } from '../../src/ingest/decide.ts'
import { linkOf } from '../../src/ingest/fold.ts'
import { replay, WHOLE_LOG } from '../../src/ingest/replay.ts'
import { hexOf } from '../../src/lib/hex.ts'
import { STORED_CHAIN } from '../../src/scoring/event-log.ts'
import type { AgentState } from '../../src/store/store.ts'
import type { Committed } from './memory-store.ts'
import type { Asked } from './server.ts'

/** What a client was answered at last. */
export type Answer = { readonly asked: Asked; readonly at: number } & (
  | { readonly status: number; readonly id: string }
  | { readonly refused: string }
  | { readonly fault: string }
)

/** All that could be seen from outside, and all that is stored. */
export interface History {
  /** The agents as they were before the first request. */
  readonly registered: readonly AgentState[]
  readonly committed: Committed
  readonly answers: readonly Answer[]
  /** The events that the webhook receiver got, in that order. */
  readonly received: readonly string[]
  readonly limits: IngestLimits
}

/** Compares a run with the guarantees of the service, in a model short enough to read. */
export async function checkHistory(history: History): Promise<readonly string[]> {
  return [
    ...onceEach(history),
    ...withinCaps(history),
    ...announcedInOrder(history),
    ...(await foldsOf(history)),
  ]
}

/** An acknowledged event is stored once, as acknowledged; a refused one is not stored. */
function onceEach({ committed, answers }: History): readonly string[] {
  const problems: string[] = []
  const byNumber = new Map<number, string[]>()
  for (const { id, data } of committed.events) {
    const n = data.duration ?? -1
    byNumber.set(n, [...(byNumber.get(n) ?? []), id])
  }
  for (const answer of answers) {
    const n = numberOf(answer.asked)
    const stored = byNumber.get(n) ?? []
    if ('fault' in answer) {
      problems.push(`report ${n}: ${answer.fault}`)
    }
    if (stored.length > 1) {
      problems.push(`report ${n} is stored ${stored.length} times`)
    }
    if ('id' in answer && !stored.includes(answer.id)) {
      problems.push(`report ${n}: acknowledged as ${answer.id}, stored as ${stored}`)
    }
    const others = answers.filter(({ asked }) => asked.key === answer.asked.key)
    if ('refused' in answer && stored.length > 0 && !others.some((other) => 'id' in other)) {
      problems.push(`report ${n}: refused with ${answer.refused}, and stored`)
    }
  }
  return problems
}

function numberOf({ report }: Asked): number {
  return report.events[0]?.data?.duration ?? -1
}

/** No hour takes more than its cap, and none refuses before. */
function withinCaps({ committed, answers, limits }: History): readonly string[] {
  const problems: string[] = []
  const counters = [
    { max: limits.eventsPerAgentHour, keyOf: (p: string, a: string) => `${p} about ${a}` },
    { max: limits.eventsPerPlatformHour, keyOf: (p: string) => p },
  ]
  for (const { max, keyOf } of counters) {
    const hours = new Map<string, { startedAt: number; count: number }>()
    for (const { reporter, agentId, createdAt } of committed.events) {
      const key = keyOf(reporter.id, agentId)
      const hour = hours.get(key)
      const isOver = !hour || createdAt >= hour.startedAt + HOUR_MS
      const next = isOver ? { startedAt: createdAt, count: 1 } : { ...hour, count: hour.count + 1 }
      hours.set(key, next)
      if (next.count > max) {
        problems.push(`${key}: ${next.count} events in an hour, ${max} are allowed`)
      }
    }
  }
  for (const answer of answers) {
    if (!('refused' in answer) || answer.refused !== 'RATE_LIMIT_EXCEEDED') {
      continue
    }
    const { agentId, reporter } = answer.asked.report
    const recent = committed.events.filter(
      (event) =>
        event.reporter.id === reporter.id &&
        event.createdAt <= answer.at &&
        event.createdAt > answer.at - HOUR_MS,
    )
    const about = recent.filter((event) => event.agentId === agentId)
    if (about.length < limits.eventsPerAgentHour && recent.length < limits.eventsPerPlatformHour) {
      problems.push(`report ${numberOf(answer.asked)}: refused before a cap was reached`)
    }
  }
  return problems
}

/** Each event is announced at least once, an agent's for the first time in the order of its log. */
function announcedInOrder({ committed, received }: History): readonly string[] {
  const problems: string[] = []
  const last = new Map<string, number>()
  const byId = new Map(committed.events.map((event) => [event.id, event]))
  for (const id of new Set(received)) {
    const event = byId.get(id)
    if (!event) {
      problems.push(`event ${id} was announced, and is not stored`)
      continue
    }
    const index = committed.events.indexOf(event)
    if (index < (last.get(event.agentId) ?? -1)) {
      problems.push(`event ${id} was announced after a later one of its agent`)
    }
    last.set(event.agentId, index)
  }
  const missing = committed.events.filter(({ id }) => !received.includes(id))
  return [...problems, ...missing.map(({ id }) => `event ${id} was not announced`)]
}

/** What is stored of an agent is what its log gives, and the log has no gap. */
async function foldsOf({ registered, committed }: History): Promise<readonly string[]> {
  const problems: string[] = []
  for (const { agentId, evidence } of registered) {
    const events = committed.events.filter((event) => event.agentId === agentId)
    const state = committed.agentStates.get(agentId)
    const { registeredAt, initialCeiling } = evidence
    const log = {
      model: MODEL,
      registration: { agentId, registeredAt, initialCeiling },
      start: null,
      parts: (async function* () {
        yield events
      })(),
      linkOf,
      counts: ({ isQuarantined }: (typeof events)[number]) => !isQuarantined,
      stored: { ...STORED_CHAIN, end: state?.chain ?? null },
    }
    try {
      const replayed = await replay(log, WHOLE_LOG)
      const [ours, theirs] = [replayed.evidence, state?.evidence].map(
        (one) => one && hexOf(encodeEvidence(one)),
      )
      if (ours !== theirs || state?.seq !== events.length) {
        problems.push(`${agentId}: the state is not what its ${events.length} events give`)
      }
    } catch (error) {
      problems.push(`${agentId}: ${error instanceof Error ? error.message : error}`)
    }
    if (events.some(({ seq }, i) => seq !== i + 1)) {
      problems.push(`${agentId}: the numbers of its events have a gap`)
    }
  }
  return problems
}
