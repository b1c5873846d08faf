import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { startInterval } from '../lib/interval.ts'
import type { Connections } from './connections.ts'

export interface CloseOptions {
  /**
   * How long requests are still served, each with `Connection: close`, so that balancers and clients
   * notice that this node ends. By default not at all.
   */
  readonly graceMs?: number
  /** How long closing may take in all. */
  readonly withinMs?: number
}

export interface DrainOptions extends CloseOptions {
  /** How long the last responses may take after that. */
  readonly drainMaxMs: number
  /** Answers a request whose response did not come in that time. */
  readonly giveUp: (res: ServerResponse) => void
}

/** After so long without a request, no client needs a grace period. */
const TRAFFIC_MS = 30_000

/** How often idle connections are closed while the server drains. */
const SWEEP_MS = 50

/**
 * A client that has just been answered may be sending its next request. A connection that has been
 * silent for this long is closed; its client opens another one.
 */
const IDLE_MS = 1_000

/** Of the time for all of it, what the last answers have to leave this process. */
const CUT_MS = 250

/** Every request that has arrived by the end is answered, if only with the advice to ask again. */
export async function drain(
  server: Server,
  connections: Connections,
  { graceMs = 0, withinMs = Number.POSITIVE_INFINITY, drainMaxMs, giveUp }: DrainOptions,
): Promise<void> {
  const until = performance.now() + withinMs - CUT_MS
  const hasTraffic = performance.now() - connections.lastRequestAt() < TRAFFIC_MS
  if (graceMs === 0 || !hasTraffic) {
    return closeServer(server, connections, { idleMs: 0, until, drainMaxMs, giveUp, stopped() {} })
  }
  await sleep(graceMs)
  const stopped = await emptyBacklog(connections)
  await closeServer(server, connections, { idleMs: IDLE_MS, until, drainMaxMs, giveUp, stopped })
}

interface Limits {
  readonly idleMs: number
  readonly until: number
  readonly drainMaxMs: number
  readonly giveUp: (res: ServerResponse) => void
  /** Called once the server does not listen any more. */
  readonly stopped: () => void
}

/**
 * Clients whose connection was closed after a response have reconnected by then, unless they wait
 * on purpose.
 */
const QUIET_MS = 100

/** If clients keep connecting, some of them are reset whenever this ends. */
const HOLD_MAX_MS = 1_000

/**
 * Connections that the system has made and this process has not accepted are reset when it stops
 * listening. Clients that wait for a response open none, so responses are held back until that is done.
 */
async function emptyBacklog(connections: Connections): Promise<() => void> {
  const release = connections.hold()
  const until = performance.now() + HOLD_MAX_MS
  do {
    await sleep(QUIET_MS)
  } while (performance.now() - connections.lastOpenedAt() < QUIET_MS && performance.now() < until)
  // Directly after the system was polled for new connections.
  await new Promise((resolve) => setImmediate(resolve))
  return release
}

async function closeServer(
  server: Server,
  connections: Connections,
  { idleMs, until, drainMaxMs, giveUp, stopped }: Limits,
): Promise<void> {
  const closeIdle = () => connections.closeIdle(idleMs)
  const sweep = startInterval({ everyMs: SWEEP_MS, work: closeIdle })
  const closeAll = () => server.closeAllConnections()
  let end = setTimeout(
    () => {
      connections.unanswered().forEach(giveUp)
      end = setTimeout(closeAll, CUT_MS)
    },
    Math.max(0, Math.min(drainMaxMs, until - performance.now())),
  )
  // Node's own close for HTTP would end idle connections at once, under requests on their way.
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
    stopped()
    closeIdle()
  })
  await sweep.stop()
  clearTimeout(end)
  // Ends the timer that looks for slow requests; there is nothing else left to close.
  server.close(() => {})
}
