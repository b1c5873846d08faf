/**
 * Removes rows by age, as configured, in short transactions. Scores, chains and receipts stay valid: a text
 * is replaced by the commitment that the chain hashes, the audit log continues from a checkpoint, and events
 * are compressed.
 */
import { audit } from '../audit/audit.ts'
import { DAY_MS } from '../domain/time.ts'
import { agentsFailed, type EachAgentOptions } from '../lib/each-agent.ts'
import type { Sources } from '../lib/sources.ts'
import type { RetentionSettings } from '../settings/retention.ts'
import type { Store } from '../store/store.ts'
import { archiveEvents } from './archive.ts'
import { thinSnapshots } from './snapshots.ts'
import { removeTexts } from './texts.ts'

export type RemovedKind = 'texts' | 'audit' | 'events' | 'snapshots'

export interface RetentionRun extends Sources, EachAgentOptions {
  readonly store: Store
  readonly retention: RetentionSettings
  /** Called after each part, with what was removed. */
  readonly onRemoved: (what: RemovedKind, count: number) => void
}

/** Entries of one transaction: some tens of milliseconds. */
const PART = 1_000

/** Of how many agents the step failed. */
type Step = (run: RetentionRun, now: number, days: number) => Promise<number>

const STEPS: readonly (readonly [setting: keyof RetentionSettings, step: Step])[] = [
  ['texts', removeTexts],
  ['audit', removeAudit],
  ['archive', archiveEvents],
  ['snapshots', thinSnapshots],
]

/** Each step and each agent fails on its own. Throws at the end where something failed. */
export async function applyRetention(run: RetentionRun): Promise<void> {
  const now = run.now()
  const failures: { readonly setting: string; readonly error: unknown }[] = []
  for (const [setting, step] of STEPS) {
    const days = run.retention[setting]
    if (days !== null) {
      await completed(step(run, now, days)).catch((error) => failures.push({ setting, error }))
    }
  }
  if (failures.length > 0) {
    throw new AggregateError(
      failures.map(({ error }) => error),
      failures.map(({ setting, error }) => `${setting}: ${messageOf(error)}`).join('; '),
    )
  }
}

async function completed(step: Promise<number>): Promise<void> {
  const failed = await step
  if (failed > 0) {
    throw agentsFailed(failed)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

async function removeAudit(run: RetentionRun, now: number, days: number): Promise<number> {
  const { store, isStopping, onRemoved } = run
  let removed = PART
  while (removed === PART && !isStopping()) {
    removed = await store.transaction(async (within) => {
      const { removed: count, checkpoint } = await within.audit.prune(now - days * DAY_MS, PART)
      if (checkpoint === null) {
        return 0
      }
      // The chain itself records where it was cut, and the hash it continues from.
      const details = { ...checkpoint }
      await audit(within, run, 'system', { action: 'audit.pruned', target: null, details })
      return count
    })
    onRemoved('audit', removed)
  }
  return 0
}
