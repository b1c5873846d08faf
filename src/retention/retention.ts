/**
 * Removes rows by age, as configured, in short transactions. Scores, chains and receipts stay valid: a text
 * is replaced by the commitment that the chain hashes, the audit log continues from a checkpoint, and events
 * are compressed.
 */
import { auditEntry } from '../audit/audit.ts'
import { DAY_MS } from '../domain/time.ts'
import type { Sources } from '../lib/sources.ts'
import type { RetentionSettings } from '../settings/retention.ts'
import type { Store } from '../store/store.ts'
import { archiveEvents } from './archive.ts'
import { thinSnapshots } from './snapshots.ts'
import { removeTexts } from './texts.ts'

export type RemovedKind = 'texts' | 'audit' | 'events' | 'snapshots'

export interface RetentionRun extends Sources {
  readonly store: Store
  readonly retention: RetentionSettings
  readonly isStopping: () => boolean
  /** Called after each part, with what was removed. */
  readonly onRemoved: (what: RemovedKind, count: number) => void
}

/** Entries of one transaction: some tens of milliseconds. */
const PART = 1_000

export async function applyRetention(run: RetentionRun): Promise<void> {
  const { texts, audit, archive, snapshots } = run.retention
  const now = run.now()
  if (texts !== null) {
    await removeTexts(run, now - texts * DAY_MS)
  }
  if (audit !== null) {
    await removeAudit(run, now - audit * DAY_MS)
  }
  if (archive !== null) {
    await archiveEvents(run, now, archive)
  }
  if (snapshots !== null) {
    await thinSnapshots(run, now, snapshots)
  }
}

async function removeAudit(run: RetentionRun, before: number): Promise<void> {
  const { store, isStopping, onRemoved } = run
  let removed = PART
  while (removed === PART && !isStopping()) {
    removed = await store.transaction(async (within) => {
      const { removed: count, checkpoint } = await within.audit.prune(before, PART)
      if (checkpoint === null) {
        return 0
      }
      // The chain itself records where it was cut, and the hash it continues from.
      const entry = auditEntry(run, 'system', {
        action: 'audit.pruned',
        target: null,
        details: { ...checkpoint },
      })
      await within.audit.insert([entry])
      return count
    })
    onRemoved('audit', removed)
  }
}
