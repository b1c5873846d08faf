import { readFileSync } from 'node:fs'
import { openSyncedLines } from '../../cli/src/synced-lines.ts'

/** A report as it is sent, recorded before it is sent. */
export interface Intent {
  /** Unique in a run; stored with the event as `data.duration`, so that the database shows it. */
  readonly n: number
  readonly agentId: string
  /** Null for a report that its Idempotency-Key alone protects. */
  readonly externalId: string | null
}

/** The state of a report, as seen by the client. */
export type Outcome =
  | { readonly n: number; readonly id: string }
  | { readonly n: number; readonly refused: string }

export interface Entry extends Intent {
  /** The ids with which the report was acknowledged: one, unless it was counted twice. */
  readonly ids: readonly string[]
  readonly refused: string | null
}

/**
 * What clients sent and what they were answered, written outside of the service. An intent is on the
 * disk before its report is sent, so that the ledger is never behind the service.
 */
export interface Ledger {
  intend(intents: readonly Intent[]): Promise<void>
  conclude(outcomes: readonly Outcome[]): Promise<void>
  close(): Promise<void>
}

export async function openLedger(path: string): Promise<Ledger> {
  const { append, close } = await openSyncedLines(path)
  return { intend: append, conclude: append, close }
}

/** The ledger as it is on the disk. */
export function readLedger(path: string): readonly Entry[] {
  const entries = new Map<number, Entry>()
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    if (line === '') {
      continue
    }
    const found = JSON.parse(line) as Intent | Outcome
    if ('agentId' in found) {
      entries.set(found.n, { ...found, ids: [], refused: null })
      continue
    }
    const entry = entries.get(found.n)
    if (!entry) {
      throw new Error(`the ledger has a result of ${found.n}, which was never sent`)
    }
    entries.set(found.n, withOutcome(entry, found))
  }
  return [...entries.values()]
}

function withOutcome(entry: Entry, outcome: Outcome): Entry {
  if ('refused' in outcome) {
    return { ...entry, refused: outcome.refused }
  }
  return entry.ids.includes(outcome.id) ? entry : { ...entry, ids: [...entry.ids, outcome.id] }
}
