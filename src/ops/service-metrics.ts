import type { Authenticator } from '../auth/authenticate.ts'
import type { Passwords } from '../auth/passwords.ts'
import { MODEL_VERSION } from '../domain/model.ts'
import type { Intake } from '../http/intake.ts'
import type { Quotas } from '../quotas/quotas.ts'
import type { Replays } from '../scoring/replays.ts'
import type { Metrics } from './metrics.ts'

interface Queue {
  /** What runs and what waits. */
  state(): QueueState
}

interface QueueState {
  readonly running: number
  readonly waiting: number
}

interface Cache {
  /** How many entries it has. */
  size(): number
}

/** The parts of a node that have a queue, a cache or a bound, and report how full it is. */
export interface Watched {
  readonly version: string
  readonly intake: Intake
  readonly quotas: Quotas
  readonly authenticator: Pick<Authenticator, 'sizes'>
  readonly ingest: { state(): { readonly waitingEvents: number; readonly lockedAgents: number } }
  readonly passwords: Pick<Passwords, 'state'>
  readonly replays: Pick<Replays, 'state'>
  readonly exports: Queue
  readonly proofs: Queue
  readonly scores: Cache
  readonly names: Cache
  readonly policies: Cache
  /** Why the service cannot serve; null when it can. */
  readonly notReady: () => Promise<string | null>
  /** What it does not do although it is ready; null when it does everything. */
  readonly degraded: () => string | null
}

/** Adds the gauges of this node. */
export function watchService(metrics: Metrics, watched: Watched): void {
  const { gauge, gauges, beforeRead } = metrics
  const { intake, quotas, ingest, authenticator, scores, names, policies } = watched
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
    return mapped({ read, change, login, ...queuesOf(watched) }, ({ running }) => running)
  })
  gauges('standing_queue_waiting', 'Work that waits for room, by queue', 'queue', () =>
    mapped({ ...intake.state(), ...queuesOf(watched) }, ({ waiting }) => waiting),
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
    const { known, unknown } = authenticator.sizes()
    return new Map([
      ['keys', known],
      ['unknown_keys', unknown],
      ['quotas', quotas.accounts()],
      ['scores', scores.size()],
      ['lookups', names.size()],
      ['policies', policies.size()],
    ])
  })
}

/** The queues beside those of requests, each by its name in the metrics. */
function queuesOf({
  passwords,
  replays,
  exports,
  proofs,
}: Watched): Readonly<Record<string, QueueState>> {
  const { unknown, known } = passwords.state()
  const { anonymous, known: others } = replays.state()
  return {
    password: unknown,
    password_known: known,
    replay: others,
    replay_anonymous: anonymous,
    export: exports.state(),
    proof: proofs.state(),
  }
}

function mapped<T>(
  record: Readonly<Record<string, T>>,
  value: (one: T) => number,
): ReadonlyMap<string, number> {
  return new Map(Object.entries(record).map(([name, one]) => [name, value(one)]))
}
