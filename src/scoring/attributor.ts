import { performance } from 'node:perf_hooks'
import { eachAgent } from '../lib/each-agent.ts'
import { type Schedule, startInterval } from '../lib/interval.ts'
import { pause } from '../lib/pause.ts'
import type { Store } from '../store/store.ts'
import { existingState } from './agent-state.ts'
import { attributeCheckpoints, type Pace } from './attribution.ts'

/** Attributes checkpoints, so that an explanation finds the attribution of all but the latest events. */
export interface Attributor {
  close(): Promise<void>
}

/** Of one agent: some thousand events, less than a tenth of a second of work. */
const CHECKPOINTS_MAX = 4

/** Of a round. */
const WORK_MS = 700

/** A node that is at work for more of its time than this serves requests. This work then goes on in short pieces. */
const QUIET = 0.05

/** Of a piece: about as long as a request with one event. */
const PIECE_MS = 1

/**
 * The rest after each piece, times the share of its time that the node is at work. A client that sends one request after
 * another uses half of a node: one in ten of its requests then waits for a piece.
 */
const REST_MS = 20

/** A node that is at work for more of its time than this is busy, and leaves what can wait. */
const BUSY = 0.5

/** A node that is busy for longer does a little nevertheless. */
const SKIPPED_MAX = 10

export interface AttributorOptions {
  readonly store: Store
  /** When to look for checkpoints that wait. */
  readonly schedule: Schedule
  /** Called for an agent that has passed a checkpoint and has events that do not count. */
  readonly onQuarantined: (agentId: string) => void
  /** Called for an agent whose checkpoints were not attributed: it is tried again, and delays no other. */
  readonly onFailed: (error: unknown, agentId: string) => void
  /** Called for a round that failed as a whole. */
  readonly onError: (error: unknown) => void
}

/** Goes on at once while the node has nothing else to do, and otherwise works in pieces, now and then. */
export function startAttributor({
  store,
  schedule,
  onQuarantined,
  onFailed,
  onError,
}: AttributorOptions): Attributor {
  const closing = new AbortController()
  let since = performance.eventLoopUtilization()
  let skipped = 0
  /** The last agent that had its turn in a pass through all that wait; null where none is begun. */
  let place: string | null = null

  async function round(): Promise<void> {
    const { utilization } = performance.eventLoopUtilization(since)
    const isBusy = utilization > BUSY
    skipped = isBusy && skipped < SKIPPED_MAX ? skipped + 1 : 0
    if (skipped === 0) {
      const paced = utilization > QUIET ? paceAt(utilization) : undefined
      await attributeWaiting(paced)
    }
    since = performance.eventLoopUtilization()
  }

  /**
   * One agent at least; then others, or the same again, for the time of a round or until none is left to this node. The
   * next round goes on with the agent behind: those that always fail keep no other waiting.
   */
  async function attributeWaiting(paced?: Pace): Promise<void> {
    const until = performance.now() + WORK_MS
    const isStopping = () => closing.signal.aborted || performance.now() > until
    let attributed: number
    let start: string | null
    const work = async (agentId: string) => {
      place = agentId
      attributed += (await attribute(agentId, paced)) ? 1 : 0
    }
    do {
      attributed = 0
      start = place
      const agentIds = store.agentStates.agentIds({ unattributed: true }, start)
      await eachAgent(agentIds, work, { isStopping, onFailed })
      place = isStopping() ? place : null
    } while ((attributed > 0 || start !== null) && !isStopping())
  }

  /**
   * The transaction holds the reservation alone: it must not lock what reports write. In pieces it is about one
   * checkpoint, so that it ends soon. False if another node has the reservation.
   */
  function attribute(agentId: string, paced?: Pace): Promise<boolean> {
    return store.transaction(async (within) => {
      if (!(await within.agentStates.reserve(agentId, 'attributions'))) {
        return false
      }
      const agentState = await existingState(store, agentId)
      await attributeCheckpoints({ store, agentState, paced }, paced ? 1 : CHECKPOINTS_MAX)
      if (agentState.quarantinedCount > 0) {
        onQuarantined(agentId)
      }
      return true
    })
  }

  const interval = startInterval({ ...schedule, work: round, onError })
  return {
    async close() {
      closing.abort()
      await interval.stop()
    },
  }
}

/** Rests after each piece, in proportion to the share of its time that the node is at work (0 to 1). */
function paceAt(utilization: number): Pace {
  let began = performance.now()
  return () => {
    if (performance.now() - began < PIECE_MS) {
      return undefined
    }
    return pause(REST_MS * utilization).then(() => {
      began = performance.now()
    })
  }
}
