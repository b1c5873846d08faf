import { performance } from 'node:perf_hooks'
import { startInterval } from '../lib/interval.ts'
import type { Store } from '../store/store.ts'
import { existingState } from './agent-state.ts'
import { attributeCheckpoints } from './attribution.ts'

/** Attributes checkpoints, so that an explanation finds the attribution of all but the latest events. */
export interface Attributor {
  close(): Promise<void>
}

/** Read at a time. */
const AGENTS_MAX = 100

/** Some thousand events: less than a tenth of a second of work, in parts of a few milliseconds. */
const CHECKPOINTS_MAX = 4

/** Of a round, while there is nothing else to do. */
const IDLE_WORK_MS = 700

/** Above this share of its time at work a node is busy, and leaves what can wait. */
const BUSY = 0.5

/** A node that is busy for longer does a little nevertheless. */
const SKIPPED_MAX = 10

export interface AttributorOptions {
  readonly store: Store
  /** How often to look for checkpoints that wait. */
  readonly everyMs: number
  /** Called for an agent that has passed a checkpoint and has events that do not count. */
  readonly onQuarantined: (agentId: string) => void
  readonly onError: (error: unknown) => void
}

/** Goes on at once while the node has nothing else to do, and otherwise does a little now and then. */
export function startAttributor({
  store,
  everyMs,
  onQuarantined,
  onError,
}: AttributorOptions): Attributor {
  const closing = new AbortController()
  let since = performance.eventLoopUtilization()
  let skipped = 0

  async function round(): Promise<void> {
    const isBusy = performance.eventLoopUtilization(since).utilization > BUSY
    skipped = isBusy && skipped < SKIPPED_MAX ? skipped + 1 : 0
    if (skipped === 0) {
      await attributeWaiting(isBusy ? 0 : IDLE_WORK_MS)
    }
    since = performance.eventLoopUtilization()
  }

  /** One agent at least; then others, or the same again, for so long. */
  async function attributeWaiting(maxMs: number): Promise<void> {
    const until = performance.now() + maxMs
    let agentIds: readonly string[]
    do {
      agentIds = await store.checkpoints.unattributed(AGENTS_MAX)
      for (const agentId of agentIds) {
        await attribute(agentId)
        if (closing.signal.aborted || performance.now() > until) {
          return
        }
      }
    } while (agentIds.length > 0)
  }

  /** The transaction holds the reservation alone: it must not lock what reports write. */
  async function attribute(agentId: string): Promise<void> {
    await store.transaction(async (within) => {
      if (await within.agentStates.reserve(agentId, 'attributions')) {
        const agentState = await existingState(store, agentId)
        await attributeCheckpoints({ store, agentState }, CHECKPOINTS_MAX)
        if (agentState.quarantinedCount > 0) {
          onQuarantined(agentId)
        }
      }
    })
  }

  const interval = startInterval({ everyMs, work: round, onError })
  return {
    async close() {
      closing.abort()
      await interval.stop()
    },
  }
}
