/**
 * Removes by age what the settings say, in short transactions. Scores, chains and receipts stay valid:
 * a text is replaced by the commitment that the chain hashes, and the audit log goes on from a checkpoint.
 */
import { auditEntry } from '../audit/audit.ts'
import { DAY_MS } from '../domain/time.ts'
import { committed } from '../ingest/text-commitment.ts'
import type { Sources } from '../lib/sources.ts'
import type { Store } from '../store/store.ts'

/** Days for which each is kept; null keeps it for good. */
export interface Retention {
  /** Free text in events, and the names that reporters gave them. */
  readonly texts: number | null
  readonly audit: number | null
  /** Notifications and their deliveries. */
  readonly deliveries: number
}

export interface RetentionRun extends Sources {
  readonly store: Store
  readonly retention: Retention
  readonly isStopping: () => boolean
  /** Called after each part, with what was removed. */
  readonly onRemoved: (what: 'texts' | 'audit', count: number) => void
}

/** Rows of one transaction: some tens of milliseconds. */
const PART = 1_000

export async function applyRetention(run: RetentionRun): Promise<void> {
  const { texts, audit } = run.retention
  const now = run.now()
  if (texts !== null) {
    await removeTexts(run, now - texts * DAY_MS)
  }
  if (audit !== null) {
    await removeAudit(run, now - audit * DAY_MS)
  }
}

async function removeTexts({ store, isStopping, onRemoved }: RetentionRun, before: number) {
  for await (const ids of store.scores.agentIds()) {
    for (const id of ids) {
      let after: number | null = 0
      while (after !== null && !isStopping()) {
        const from: number = after
        after = await store.transaction(async (within) => {
          const { retention } = within
          const events = await retention.eventsWithText(id, from, before, PART)
          if (events.length === 0) {
            return null
          }
          // A review that runs reads and writes the same events.
          await within.scores.find(id, { lock: 'wait' })
          await retention.saveWithoutText(
            events.map(({ salt, data, ...event }) => ({
              ...event,
              data: salt === null ? data : committed(data, salt),
            })),
          )
          onRemoved('texts', events.length)
          return events.at(-1)?.seq ?? null
        })
      }
    }
  }
}

async function removeAudit(run: RetentionRun, before: number): Promise<void> {
  const { store, isStopping, onRemoved } = run
  let removed = PART
  while (removed === PART && !isStopping()) {
    removed = await store.transaction(async (within) => {
      const { removed: count, checkpoint } = await within.retention.auditBefore(before, PART)
      if (checkpoint === null) {
        return 0
      }
      // The chain itself says where it was cut, and by which hash it goes on.
      const entry = auditEntry(run, 'system', 'audit.pruned', null, { ...checkpoint })
      await within.audit.insert([entry])
      return count
    })
    onRemoved('audit', removed)
  }
}
