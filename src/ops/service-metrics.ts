import type { Authenticator } from '../auth/authenticate.ts'
import { MODEL_VERSION } from '../domain/model.ts'
import type { Intake } from '../http/intake.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { Metrics } from './metrics.ts'

/** What runs and what waits. */
export interface QueueState {
  readonly running: number
  readonly waiting: number
}

/** The parts of a node that have a queue, a cache or a bound, and report how full it is. */
export interface Watched {
  readonly version: string
  readonly intake: Intake
  readonly quotas: Quotas
  readonly keys: Authenticator['sizes']
  readonly ingest: { state(): { readonly waitingEvents: number; readonly lockedAgents: number } }
  /** The other queues, each with what its parts are called. */
  readonly queues: () => Readonly<Record<string, QueueState>>
  /** How many entries each cache has. */
  readonly caches: () => Readonly<Record<string, number>>
  /** Why the service cannot serve; null when it can. */
  readonly notReady: () => Promise<string | null>
  /** What it does not do although it is ready; null when it does everything. */
  readonly degraded: () => string | null
}

/** Adds the gauges of this node. */
export function watchService(metrics: Metrics, watched: Watched): void {
  const { gauge, gauges, beforeRead } = metrics
  const { intake, quotas, ingest, keys, queues, caches } = watched
  const build = { version: watched.version, model: MODEL_VERSION, node: process.versions.node }
  metrics.info('standing_build_info', 'Release, scoring model and Node.js of this node', build)

  let isReady = false
  beforeRead(async () => {
    isReady = (await watched.notReady()) === null
  })
  gauge('standing_ready', 'Whether /readyz answers 200', () => Number(isReady))
  gauge('standing_degraded', 'Whether /readyz names something that is not done', () =>
    Number(watched.degraded() !== null),
  )

  gauges('standing_queue_running', 'Work in progress, by queue', 'queue', () => {
    const { read, change, login } = intake.state()
    return mapped({ read, change, login, ...queues() }, ({ running }) => running)
  })
  gauges('standing_queue_waiting', 'Work that waits for room, by queue', 'queue', () =>
    mapped({ ...intake.state(), ...queues() }, ({ waiting }) => waiting),
  )
  gauge(
    'standing_writes_in_progress_bytes',
    'Bodies of the requests that write, rounded up to KiB each',
    () => intake.state().write.running * 1_024,
  )
  gauge(
    'standing_ingest_waiting_events',
    'Events that wait for their transaction, or are in it',
    () => ingest.state().waitingEvents,
  )
  gauge(
    'standing_ingest_locked_agents',
    'Agents whose reports wait for a lock',
    () => ingest.state().lockedAgents,
  )
  gauges('standing_cache_entries', 'Entries of a cache of this node', 'cache', () => {
    const { known, unknown } = keys()
    return { keys: known, unknown_keys: unknown, quotas: quotas.accounts(), ...caches() }
  })
}

function mapped<T>(
  record: Readonly<Record<string, T>>,
  value: (one: T) => number,
): ReadonlyMap<string, number> {
  return new Map(Object.entries(record).map(([name, one]) => [name, value(one)]))
}
