import type { RecordedEvent } from '../../../src/domain/agent.ts'
import { encodeEvidence } from '../../../src/domain/evidence.ts'
import { MODEL, MODEL_VERSION } from '../../../src/domain/model.ts'
import { isSame } from '../../../src/ingest/digest.ts'
import { foldEvent, initialState } from '../../../src/ingest/fold.ts'
import type { AgentState, Snapshot, Store } from '../../../src/store/store.ts'

/** What stands in the database and does not follow from the log. */
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

/** How often an agent is read again because events came in meanwhile. */
const TRIES_MAX = 5

const PAGE = 1_000

/** Computes an agent from its log, as the service did, and compares all that the service keeps. */
export async function checkAgent(store: Store, agentId: string): Promise<Checked | null> {
  for (let i = 1; ; i++) {
    const agentState = await store.scores.find(agentId)
    if (!agentState) {
      return null
    }
    const checked = await check(store, agentState)
    const isStill = isSameRead(agentState, await store.scores.find(agentId))
    if (checked.difference === null || isStill || i === TRIES_MAX) {
      return checked
    }
  }
}

function isSameRead(before: AgentState, after: AgentState | null): boolean {
  return after?.updatedAt === before.updatedAt && after.seq === before.seq
}

async function check(store: Store, agentState: AgentState): Promise<Checked> {
  const { agentId } = agentState
  let again: AgentState = { ...initialState(MODEL, agentState), seq: 0, quarantinedCount: 0 }
  const snapshots: Snapshot[] = []
  const differs = (what: string, event: RecordedEvent | null = null): Checked => ({
    events: again.seq,
    difference: { agentId, eventId: event?.id ?? null, what },
  })
  for await (const part of store.events.log(agentId)) {
    for (const event of part) {
      if (event.seq > agentState.seq) {
        break
      }
      if (event.seq !== again.seq + 1) {
        return differs(`event number ${again.seq + 1} is missing before this one`, event)
      }
      again = { ...again, seq: event.seq }
      if (event.isQuarantined) {
        if (event.chain) {
          return differs('it is held, but was chained as one that counts', event)
        }
        again = { ...again, quarantinedCount: again.quarantinedCount + 1 }
        continue
      }
      const { agentState: next, snapshot } = foldEvent(MODEL, again, event, () => '')
      if (!isSame(event.chain, next.chain)) {
        return differs('it is not what was chained when it was folded', event)
      }
      if (snapshot) {
        snapshots.push(snapshot)
      }
      again = next
    }
  }
  const what =
    differenceOf(again, agentState) ?? (await historyDifference(store, agentState, snapshots))
  return what === null ? { events: again.seq, difference: null } : differs(what)
}

function differenceOf(again: AgentState, stored: AgentState): string | null {
  const told = (name: string, ours: unknown, theirs: unknown) =>
    ours === theirs ? null : `${name}: the log gives ${ours}, ${theirs} is stored`
  return (
    told('number of events', again.seq, stored.seq) ??
    modelDifference(stored) ??
    told('score', again.score, stored.score) ??
    told('evidence', encodeEvidence(again.evidence), encodeEvidence(stored.evidence)) ??
    told('events held', again.quarantinedCount, stored.quarantinedCount) ??
    told('chain', hex(again.chain), hex(stored.chain))
  )
}

function modelDifference({ modelVersion }: AgentState): string | null {
  if (modelVersion === MODEL_VERSION) {
    return null
  }
  return `model: ${MODEL_VERSION} is in force, a score by ${modelVersion || 'more than one'} is stored`
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

/** The snapshots, newest first, as far back as this model told them: an older one's are left as they are. */
async function historyDifference(
  store: Store,
  { agentId, snapshots: stored }: AgentState,
  ours: readonly Snapshot[],
): Promise<string | null> {
  let number = stored
  let left = ours.length
  while (number > 0) {
    const { rows } = await store.scores.history(agentId, { before: number + 1, limit: PAGE })
    for (const row of rows) {
      if (row.number !== number) {
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
    if (rows[0]?.number !== number + rows.length) {
      return `snapshot number ${number} is missing`
    }
  }
  return left === 0 ? null : `snapshots: the log gives ${ours.length}, ${stored} are stored`
}

/** Whether the log had come to this snapshot where the model took over. */
function isEnd(last: Snapshot | undefined, { seq, score }: Snapshot): boolean {
  return last === undefined || (last.seq <= seq && last.score === score)
}

function differenceAt({ id, score }: Snapshot, ours: Snapshot | undefined): string {
  return `snapshot ${id}: the log gives ${ours?.score}, ${score} is stored`
}
