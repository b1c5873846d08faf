import type { LoggedEvent } from '../domain/agent.ts'
import {
  type CountDifference,
  countDifference,
  withDifference,
} from '../domain/evidence-difference.ts'
import type { Evidence } from '../domain/evidence-state.ts'
import { replay } from '../ingest/replay.ts'
import type { AgentState, Checkpoint, Store } from '../store/store.ts'
import { eventLog, type Reading } from './event-log.ts'

/** What a request folds at most, or a part of the log more: less than a tenth of a second of work. */
export const FOLDED_MAX = 2_048

export interface Hypothesis extends Pick<Reading, 'signal'> {
  /** The numbers of the events that count only in the log or only here, in ascending order. */
  readonly changed: readonly number[]
  readonly counts: (event: LoggedEvent) => boolean
  /** How far an earlier answer came, about the same events and a log that no review has changed since. */
  readonly known?: Progress | null
  /** It stops where it has folded this many events, or a part of the log more. By default it does not. */
  readonly eventsMax?: number
}

/** The evidence, null where it stopped before; and how far it came, null where no event was folded. */
export interface HypotheticalEvidence {
  readonly evidence: Evidence | null
  readonly progress: Progress | null
}

/** The hypothetical evidence after an event. */
export interface Progress {
  readonly seq: number
  readonly evidence: Evidence
}

/**
 * The evidence of the state that was read if other events of its log counted. It folds from the last
 * checkpoint before each of them until the evidence is that of a later checkpoint again, except for counts. An
 * event is forgotten within days where there are many of them; otherwise the rest of the log is folded.
 */
export async function evidenceIf(
  store: Store,
  agentState: AgentState,
  hypothesis: Hypothesis,
): Promise<HypotheticalEvidence> {
  const { changed, known = null, eventsMax = Number.POSITIVE_INFINITY } = hypothesis
  const { agentId, evidence, seq } = agentState
  let progress = known
  for (let left = eventsMax; ; ) {
    if (progress?.seq === seq) {
      return { evidence: progress.evidence, progress }
    }
    const merge = progress && (await mergeAt(store, agentId, progress))
    const passed = progress?.seq ?? 0
    const next = changed.find((one) => one > passed)
    if (next === undefined && (merge !== null || progress === null)) {
      return { evidence: merged(evidence, merge), progress }
    }
    if (left <= 0) {
      return { evidence: null, progress }
    }
    const isUnmerged = progress !== null && merge === null
    const from = isUnmerged ? progress : await before(store, agentId, next ?? seq, merge)
    const folded = await foldUntilMerged(store, agentState, { ...hypothesis, from, left })
    left -= folded.count
    progress = folded.progress
  }
}

/** The last checkpoint before an event, as it would be. */
async function before(
  store: Store,
  agentId: string,
  seq: number,
  merge: CountDifference | null,
): Promise<Checkpoint | null> {
  const last = await store.checkpoints.last(agentId, { seq: seq - 1 })
  return last && { ...last, evidence: merged(last.evidence, merge) }
}

/** How the evidence differs from that of the checkpoint in the same place, if only by counts. */
async function mergeAt(
  store: Store,
  agentId: string,
  { seq, evidence }: Progress,
): Promise<CountDifference | null> {
  const checkpoint = await store.checkpoints.last(agentId, { seq })
  return checkpoint?.seq === seq ? countDifference(checkpoint.evidence, evidence) : null
}

interface Fold extends Pick<Hypothesis, 'counts' | 'signal'> {
  readonly from: Progress | null
  readonly left: number
}

async function foldUntilMerged(
  store: Store,
  agentState: AgentState,
  { counts, signal, from, left }: Fold,
): Promise<{ readonly progress: Progress; readonly count: number }> {
  const { agentId, seq: seqMax } = agentState
  const numbers = new Set(await store.checkpoints.numbers(agentId, from?.seq ?? 0, { seq: seqMax }))
  let isMerged = false
  let count = 0
  let seq = from?.seq ?? 0
  const isEnough = () => isMerged || count >= left

  async function compare(progress: Progress): Promise<void> {
    isMerged = (await mergeAt(store, agentId, progress)) !== null
  }

  const log = eventLog(store, agentState, { from, signal })
  const parts = piecesUntil(log.parts, numbers, isEnough)
  const { evidence } = await replay({ ...log, parts, counts }, { seq: seqMax }, (step) => {
    count += 1
    seq = step.entry.seq
    return numbers.has(seq) ? compare({ seq, evidence: step.evidence }) : undefined
  })
  // What ends of itself has come to the end of the log.
  return { progress: { seq: isEnough() ? seq : seqMax, evidence }, count }
}

function merged(evidence: Evidence, merge: CountDifference | null): Evidence {
  return merge ? withDifference(evidence, merge) : evidence
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
