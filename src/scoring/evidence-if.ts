import type { LoggedEvent } from '../domain/agent.ts'
import type { Evidence } from '../domain/evidence.ts'
import {
  type CountDifference,
  countDifference,
  withDifference,
} from '../domain/evidence-difference.ts'
import { replay } from '../ingest/replay.ts'
import type { AgentState, Store } from '../store/store.ts'
import { eventLog, type Reading } from './event-log.ts'

export interface Supposition extends Pick<Reading, 'signal'> {
  /** The numbers of the events that count only in the log or only here, in ascending order. */
  readonly changed: readonly number[]
  readonly counts: (event: LoggedEvent) => boolean
  /** Where an earlier answer ended, about the same events and a log that no review has changed since. */
  readonly known?: Merge | null
}

/** The evidence, and the last place before which nothing has to be folded for a later answer; null for none. */
export interface Supposed {
  readonly evidence: Evidence
  readonly merge: Merge | null
}

/** Where the evidence is that of a checkpoint again, but for counts. */
export interface Merge {
  readonly seq: number
  readonly difference: CountDifference
}

/**
 * The evidence of the state that was read if other events of its log counted. It folds from the last
 * checkpoint before each of them until the evidence is that of a later checkpoint again, but for counts. An
 * event is forgotten within days where there are many of them; otherwise the rest of the log is folded.
 */
export async function evidenceIf(
  store: Store,
  agentState: AgentState,
  supposition: Supposition,
): Promise<Supposed> {
  const { known = null } = supposition
  const changed = supposition.changed.filter((seq) => seq > (known?.seq ?? 0))
  let merge = known
  for (let i = 0; i < changed.length; ) {
    const first = changed[i] ?? 0
    const folded = await foldUntilMerged(store, agentState, supposition, { first, merge })
    if (folded.merge === null) {
      return { evidence: folded.evidence, merge }
    }
    merge = folded.merge
    while ((changed[i] ?? Number.POSITIVE_INFINITY) <= merge.seq) {
      i++
    }
  }
  return { evidence: merged(agentState.evidence, merge), merge }
}

async function foldUntilMerged(
  store: Store,
  agentState: AgentState,
  { counts, signal }: Supposition,
  { first, merge }: { readonly first: number; readonly merge: Merge | null },
): Promise<Supposed> {
  const { agentId, seq: seqMax } = agentState
  const last = await store.checkpoints.last(agentId, { seq: first - 1 })
  const from = last && { ...last, evidence: merged(last.evidence, merge) }
  const numbers = new Set(await store.checkpoints.numbers(agentId, first - 1, seqMax))
  const found: { merge: Merge | null } = { merge: null }

  async function compare(seq: number, evidence: Evidence): Promise<void> {
    const checkpoint = await store.checkpoints.last(agentId, { seq })
    const difference =
      checkpoint?.seq === seq ? countDifference(checkpoint.evidence, evidence) : null
    found.merge = difference && { seq, difference }
  }

  const log = eventLog(store, agentState, { from, signal })
  const parts = piecesUntil(log.parts, numbers, () => found.merge !== null)
  const { evidence } = await replay({ ...log, parts, counts }, { seq: seqMax }, (step) =>
    numbers.has(step.entry.seq) ? compare(step.entry.seq, step.evidence) : undefined,
  )
  return { evidence, merge: found.merge }
}

function merged(evidence: Evidence, merge: Merge | null): Evidence {
  return merge ? withDifference(evidence, merge.difference) : evidence
}

/** The parts of a log, divided behind these numbers, until it is enough. */
async function* piecesUntil(
  parts: AsyncIterable<readonly LoggedEvent[]>,
  numbers: ReadonlySet<number>,
  isEnough: () => boolean,
): AsyncIterable<readonly LoggedEvent[]> {
  for await (const part of parts) {
    for (let from = 0; from < part.length; ) {
      const end = part.findIndex(({ seq }, i) => i >= from && numbers.has(seq))
      const to = end < 0 ? part.length : end + 1
      yield part.slice(from, to)
      if (isEnough()) {
        return
      }
      from = to
    }
  }
}
