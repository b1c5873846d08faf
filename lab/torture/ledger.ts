import { readFileSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

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

interface Waiting {
  readonly lines: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export async function openLedger(path: string): Promise<Ledger> {
  const file = await open(path, 'a')
  let waiting: Waiting[] = []
  let writing: Promise<void> | null = null

  /** One fsync for all that waits. */
  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await write(file, batch)
    }
    writing = null
  }

  function append(entries: readonly object[]): Promise<void> {
    const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    return new Promise((resolve, reject) => {
      waiting.push({ lines, resolve, reject })
      writing ??= drain()
    })
  }

  return {
    intend: append,
    conclude: append,
    async close() {
      await writing
      await file.close()
    },
  }
}

async function write(file: FileHandle, batch: readonly Waiting[]): Promise<void> {
  try {
    await file.appendFile(batch.map(({ lines }) => lines).join(''))
    await file.datasync()
    for (const { resolve } of batch) {
      resolve()
    }
  } catch (error) {
    for (const { reject } of batch) {
      reject(error)
    }
  }
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
