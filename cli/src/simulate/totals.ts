import type { TrustError } from '../../../src/domain/error.ts'
import type { EventOutcome, ReportOutcome } from '../../../src/ingest/report.ts'

/** What became of an event; one that was reported before under its name is counted nowhere else. */
export type Fate = 'accepted' | 'quarantined' | 'refused' | 'repeated'

/** What became of all events. */
export interface Totals extends Record<Fate, number> {
  /** Quarantined events by the rules that did it, and refused ones by the reason. */
  readonly byRule: Map<string, number>
  readonly byReason: Map<string, number>
}

export function newTotals(): Totals {
  const none = { accepted: 0, quarantined: 0, refused: 0, repeated: 0 }
  return { ...none, byRule: new Map(), byReason: new Map() }
}

/** Counts the outcome of a report of one event. */
export function countOutcome(totals: Totals, outcome: ReportOutcome): Fate {
  const one = 'refusal' in outcome ? outcome : outcome.events[0]
  if (!one) {
    throw new Error('a report of one event has one outcome')
  }
  if ('refusal' in one) {
    return countRefusal(totals, reasonOf(one.refusal))
  }
  const fate = fateOf(one)
  totals[fate] += 1
  if (fate === 'quarantined') {
    for (const rule of one.event.fraudFlags) {
      increment(totals.byRule, rule)
    }
  }
  return fate
}

export function countRefusal(totals: Totals, reason: string): Fate {
  totals.refused += 1
  increment(totals.byReason, reason)
  return 'refused'
}

function fateOf({ event, isNew }: Extract<EventOutcome, { readonly isNew: boolean }>): Fate {
  if (!isNew) {
    return 'repeated'
  }
  return event.isQuarantined ? 'quarantined' : 'accepted'
}

/** As the API names it in `details`. */
function reasonOf({ code, details }: TrustError): string {
  if (code === 'CONFLICT') {
    return 'externalId names another event'
  }
  return String(details.limit ?? details.reason ?? code)
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
