import type { OwnExperience } from '../domain/decision.ts'
import { type EventType, LOG_TYPES } from '../domain/event.ts'
import { impactOf } from '../domain/event-weight.ts'
import { MODEL } from '../domain/model.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import type { AgentState, PastReport, Store } from '../store/store.ts'

/** What a platform has itself reported about an agent. */
export interface Experience extends Pick<OwnExperience, 'good' | 'bad'> {
  readonly lastReportAt: number | null
}

/** The latest reports that count: an agent that has changed is not judged by what it was. */
export const REPORTS_MAX = 200

/** How far back in an agent's log they are looked for: some thousand rows are read in a millisecond. */
const EVENTS_BACK = 2_000

/** With fewer reports among those events the vote says more, if there are earlier events. */
const ENOUGH = 20

/**
 * Whether others, or the agent itself by its own reports, may have filled the latest events, so that most of the
 * platform's reports are not among them. What its vote keeps of them counts then: otherwise an agent that has cheated it
 * could have the platform's own experience forgotten within a day.
 */
export function isCrowdedOut({ good, bad }: Experience, { seq }: Pick<LogState, 'seq'>): boolean {
  return seq > EVENTS_BACK && good + bad < ENOUGH
}

/** Some hundred bytes each. */
const ENTRIES_MAX = 20_000

/** Tells that what was reported before counts no longer. The platform is named as its reporter. */
export const DISCARDED: EventType = 'reports.discarded'

/** What an agent's log was when it was read. A review makes earlier events count without a new `seq`. */
export type LogState = Pick<AgentState, 'seq' | 'correctedAt'>

/** Reads experiences; one is good until the agent's next event, or until a review corrects its log. */
export interface Experiences {
  of(platformId: string, agentId: string, log: LogState): Promise<Experience>
}

export function createExperiences({ store }: { readonly store: Store }): Experiences {
  const latest = createBoundedMap<string, LogState & { readonly value: Experience }>(ENTRIES_MAX)
  return {
    async of(platformId, agentId, { seq, correctedAt }) {
      const key = `${platformId} ${agentId}`
      const known = latest.get(key)
      if (known?.seq === seq && known.correctedAt === correctedAt) {
        return known.value
      }
      const query = { after: seq - EVENTS_BACK, limit: REPORTS_MAX }
      const value = experienceIn(await store.events.latestBy(platformId, agentId, query))
      latest.set(key, { seq, correctedAt, value })
      return value
    },
  }
}

/** Of a platform's reports about an agent, newest first, those since the operator last discarded them. */
export function sinceDiscarded(reports: readonly PastReport[]): readonly PastReport[] {
  const end = reports.findIndex(({ type }) => type === DISCARDED)
  return end < 0 ? reports : reports.slice(0, end)
}

/** Newest first. What was discarded does not count. Credentials say who an agent is, not how it does. */
function experienceIn(reports: readonly PastReport[]): Experience {
  const deals = sinceDiscarded(reports).filter(
    ({ type }) => LOG_TYPES[type].dimension !== 'identity',
  )
  const good = deals.filter(isGood).length
  return { good, bad: deals.length - good, lastReportAt: deals[0]?.createdAt ?? null }
}

export function isGood({ type, data }: Pick<PastReport, 'type' | 'data'>): boolean {
  return impactOf(MODEL, type, data) === 'positive'
}
