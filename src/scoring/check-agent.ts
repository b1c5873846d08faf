import { encodeEvidence } from '../domain/evidence-codec.ts'
import { MODEL_VERSION } from '../domain/model.ts'
import { ChainError } from '../ingest/follow-chain.ts'
import { replay } from '../ingest/replay.ts'
import { scoreAtEnd, scoreHistory } from '../ingest/score-history.ts'
import { hexOf } from '../lib/hex.ts'
import type { AgentState, Snapshot, Store } from '../store/store.ts'
import { eventLog, STORED_CHAIN } from './event-log.ts'

/** What is stored and does not follow from the log. */
export interface Difference {
  readonly agentId: string
  /** The first event at which it shows, where it is one. */
  readonly eventId: string | null
  readonly what: string
}

export interface Checked {
  readonly events: number
  readonly difference: Difference | null
}

type CheckedStore = Pick<Store, 'agentStates' | 'snapshots' | 'events'>

/** How often an agent is read again because events came in meanwhile. */
const TRIES_MAX = 5

/** Snapshots read at a time: some hundred kilobytes. */
const PAGE = 1_000

/** What is compared of a snapshot. An agent may have a million, and all of one with its reasons is a kilobyte. */
type Published = Pick<Snapshot, 'seq' | 'score'>

/** Computes an agent from its log, as the service did, and compares all that the service stores. */
export async function checkAgent(store: CheckedStore, agentId: string): Promise<Checked | null> {
  for (let i = 1; ; i++) {
    const agentState = await store.agentStates.find({ agentId })
    if (!agentState) {
      return null
    }
    const checked = await check(store, agentState)
    const isUnchanged = isSameRead(agentState, await store.agentStates.find({ agentId }))
    if (checked.difference === null || isUnchanged || i === TRIES_MAX) {
      return checked
    }
  }
}

function isSameRead(before: AgentState, after: AgentState | null): boolean {
  return after?.updatedAt === before.updatedAt && after.seq === before.seq
}

async function check(store: CheckedStore, agentState: AgentState): Promise<Checked> {
  const { agentId } = agentState
  const log = { ...eventLog(store, agentState), stored: STORED_CHAIN }
  const snapshotAfter = scoreHistory(log, () => '')
  const snapshots: Published[] = []
  let seq = 0
  let quarantinedCount = 0
  const replayed = await replay(log, { seq: agentState.seq }, (step) => {
    const { link, counts } = step
    if (link.seq !== seq + 1) {
      throw new ChainError(missing(seq + 1), link)
    }
    seq = link.seq
    quarantinedCount += counts ? 0 : 1
    const snapshot = snapshotAfter(step)
    if (snapshot) {
      snapshots.push({ seq: snapshot.seq, score: snapshot.score })
    }
  }).catch(chainErrorIn)
  const differs = (what: string, eventId: string | null = null): Checked => ({
    events: seq,
    difference: { agentId, eventId, what },
  })
  if (replayed instanceof ChainError) {
    const { entry, message } = replayed
    // No event after a gap fits the chain: the gap is what is wrong.
    const isGap = entry !== null && entry.seq > seq + 1
    return differs(isGap ? missing(seq + 1) : message, entry?.id)
  }
  const { evidence } = replayed
  const chain = replayed.chain ?? new Uint8Array()
  const { score, disputed } = scoreAtEnd(log, replayed)
  const { isDisputed } = disputed
  const computed = { seq, score, isDisputed, evidence, quarantinedCount, chain }
  const what =
    stateDifference(computed, agentState) ?? (await historyDifference(store, agentState, snapshots))
  return what === null ? { events: seq, difference: null } : differs(what)
}

function missing(seq: number): string {
  return `event number ${seq} is missing before this one`
}

function chainErrorIn(error: unknown): ChainError {
  if (error instanceof ChainError) {
    return error
  }
  throw error
}

type Computed = Pick<
  AgentState,
  'seq' | 'score' | 'isDisputed' | 'evidence' | 'quarantinedCount' | 'chain'
>

function stateDifference(computed: Computed, stored: AgentState): string | null {
  const compare = (name: string, ours: unknown, theirs: unknown) =>
    ours === theirs ? null : `${name}: the log gives ${ours}, ${theirs} is stored`
  return (
    compare('number of events', computed.seq, stored.seq) ??
    modelDifference(stored) ??
    compare('score', computed.score, stored.score) ??
    compare('disputed', computed.isDisputed, stored.isDisputed) ??
    compare('evidence', bytesOf(computed.evidence), bytesOf(stored.evidence)) ??
    compare('quarantined events', computed.quarantinedCount, stored.quarantinedCount) ??
    compare('chain', hexOf(computed.chain), hexOf(stored.chain))
  )
}

function bytesOf(evidence: AgentState['evidence']): string {
  return hexOf(encodeEvidence(evidence))
}

function modelDifference({ modelVersion }: AgentState): string | null {
  if (modelVersion === MODEL_VERSION) {
    return null
  }
  return `model: ${MODEL_VERSION} is in force, a score by ${modelVersion || 'more than one'} is stored`
}

/**
 * Compares the snapshots, newest first, as far back as this model wrote them. Of those that retention
 * thinned out, the ones that are left are compared.
 */
async function historyDifference(
  store: CheckedStore,
  { agentId, snapshots: stored }: AgentState,
  ours: readonly Published[],
): Promise<string | null> {
  const thinnedUntil = await store.snapshots.thinnedUntil(agentId)
  let number = stored
  let left = ours.length
  while (number > 0) {
    // From where the state was read: behind on a replica, the latest ones would seem to be missing.
    const { rows } = await store.snapshots.list({ agentId, isCurrent: true }, number + 1, PAGE)
    // There is no row before the oldest one.
    for (const row of rows.length > 0 ? rows : [null]) {
      const gap = number - (row?.number ?? 0)
      if (gap > 0 && number > thinnedUntil) {
        return `snapshot number ${number} is missing`
      }
      number -= gap
      left -= gap
      if (!row) {
        break
      }
      number--
      if (row.modelVersion !== MODEL_VERSION) {
        return null
      }
      const last = ours[left - 1]
      if (row.trigger.kind === 'model') {
        return isEnd(last, row) ? null : differenceAt(row, last)
      }
      left--
      if (last?.score !== row.score || last.seq !== row.seq) {
        return differenceAt(row, last)
      }
    }
  }
  return left === 0 ? null : `snapshots: the log gives ${ours.length}, ${stored} are stored`
}

/** Whether the log had come to this snapshot where the model took over. */
function isEnd(last: Published | undefined, { seq, score }: Published): boolean {
  return last === undefined || (last.seq <= seq && last.score === score)
}

function differenceAt({ id, score }: Snapshot, ours: Published | undefined): string {
  return `snapshot ${id}: the log gives ${ours?.score}, ${score} is stored`
}
