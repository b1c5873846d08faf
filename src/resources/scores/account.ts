import { addEvent, type Evidence, newEvidence } from '../../core/evidence.ts'
import { enter, type Ledger, openLedger, passTime } from '../../core/ledger.ts'
import { RECENT_DAYS } from '../../core/reasons.ts'
import type { RecordedEvent } from '../../core/record.ts'
import type { Snapshot, Standing, Store } from '../../store/store.ts'
import { countedEvent } from '../events/fold.ts'

/** What is asked of a history beside what every event did. */
export interface Questions {
  /** An account of its own from this snapshot on. */
  readonly since: Snapshot | null
  /** The evidence had this event never been. */
  readonly without: RecordedEvent | null
}

export interface Account {
  readonly whole: Ledger
  readonly since: Ledger | null
  readonly without: Evidence | null
}

const DAY_MS = 86_400_000

/**
 * Folds all that counts up to the standing that was read, in one pass over the log, a part at a time:
 * the time it takes grows with the history, the memory does not (but for the reporters' names).
 */
export async function accountOf(
  store: Store,
  { agentId, seq, evidence }: Standing,
  at: number,
  { since, without }: Questions,
): Promise<Account> {
  const recentSince = at - RECENT_DAYS * DAY_MS
  const { registeredAt, startsAtMost } = evidence
  const fresh = newEvidence(registeredAt, startsAtMost)
  const whole = openLedger(fresh, registeredAt, recentSince)
  let latest: Ledger | null = null
  let other: Evidence | null = without && fresh
  const openLatest = () =>
    since && openLedger(whole.evidence, Math.max(since.createdAt, registeredAt), recentSince)
  for await (const part of store.events.log(agentId)) {
    for (const event of part) {
      if (event.isQuarantined || event.seq > seq) continue
      if (since && event.seq > since.seq) latest ??= openLatest()
      const counted = countedEvent(event)
      const entry = { id: event.id, kind: event.reporter.kind, event: counted }
      enter(whole, entry)
      if (latest) enter(latest, entry)
      if (other && event.id !== without?.id) other = addEvent(other, counted)
    }
  }
  latest ??= openLatest()
  passTime(whole, at)
  if (latest) passTime(latest, at)
  return { whole, since: latest, without: other }
}
