import type pg from 'pg'
import { startInterval } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { StoreBusy, StoreUnavailable } from '../types.ts'
import { endPool, type PoolOptions } from './pool.ts'
import { createSharedConnection } from './shared-connection.ts'
import { type Sql, sqlOn } from './sql.ts'

/** Of a server of a cluster, as its coordinator knows it. */
export interface Address {
  readonly host: string
  readonly port: number
}

/** The connections of this node to the servers that have the shards. */
export interface Workers {
  /** Tries to reach these servers. */
  connect(addresses: readonly Address[]): Promise<void>
  /** Whether work can be run there, as far as is known. */
  isReached(address: Address): boolean
  /**
   * Runs work on the server with this shard, on a connection that always is the same for the shard, or for all
   * work on several shards (null).
   * Null where the server cannot be reached from here: nothing was sent then, and the coordinator may reach it.
   */
  run<T>(address: Address, shard: number | null, work: (sql: Sql) => Promise<T>): Promise<T | null>
  close(): Promise<void>
}

export interface WorkersOptions {
  readonly open: (address: Address, options: Pick<PoolOptions, 'max' | 'verify'>) => pg.Pool
  /** What the server at this address says that it is, asked by the coordinator. */
  readonly identityOf: (address: Address) => Promise<string>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly checkEveryMs?: number
}

/** To one server: one for batches of several shards, the others for batches of one, which take turns on them. */
const CONNECTIONS_MAX = 12

/** A server that could not be reached is tried again. Until then its shards are written through the coordinator. */
const CHECK_MS = 5_000

/** Planned for the values of each batch, as PostgreSQL may choose to, a statement takes it three times as long. */
const PLAN_ONCE = 'set plan_cache_mode to force_generic_plan'

/** The same on a server as on its copies, which follow it after a failover. */
export const IDENTITY = 'select system_identifier::text as identity from pg_control_system()'

interface Worker {
  readonly isReached: () => boolean
  readonly run: <T>(shard: number | null, work: (sql: Sql) => Promise<T>) => Promise<T | null>
  readonly check: () => Promise<void>
  readonly close: () => Promise<void>
}

export function createWorkers(options: WorkersOptions): Workers {
  const workers = new Map<string, Worker>()
  let isClosed = false

  function workerAt(address: Address): Worker {
    const key = nameOf(address)
    const known = workers.get(key)
    if (known) {
      return known
    }
    const worker = createWorker(address, options)
    workers.set(key, worker)
    void worker.check()
    return worker
  }

  return {
    async connect(addresses) {
      await Promise.all(addresses.map((address) => workerAt(address).check()))
    },
    isReached: (address) => !isClosed && workerAt(address).isReached(),
    async run(address, shard, work) {
      return isClosed ? null : workerAt(address).run(shard, work)
    },
    async close() {
      isClosed = true
      await Promise.all([...workers.values()].map((worker) => worker.close()))
    },
  }
}

function createWorker(
  address: Address,
  { open, identityOf, log, checkEveryMs = CHECK_MS }: WorkersOptions,
): Worker {
  const worker = nameOf(address)
  let identity: string | null = null
  let state: 'unknown' | 'reached' | 'away' = 'unknown'
  // The name of a server may mean another one here than on the coordinator.
  const verify = async (client: pg.ClientBase) => {
    const [row] = await sqlOn(client)<{ identity: string }>(IDENTITY)
    if (identity === null || row?.identity !== identity) {
      throw new Error('another server answers at this address')
    }
    await sqlOn(client)(PLAN_ONCE)
  }
  const pool = open(address, { max: CONNECTIONS_MAX, verify })
  const connections = Array.from({ length: CONNECTIONS_MAX }, () => createSharedConnection(pool))

  let checking: Promise<void> | null = null
  const check = async (): Promise<void> => {
    if (state !== 'reached') {
      checking ??= tryToReach().finally(() => {
        checking = null
      })
      await checking
    }
  }

  async function tryToReach(): Promise<void> {
    try {
      identity = await identityOf(address)
      const client = await pool.connect()
      client.release()
      state = 'reached'
      log.info({ worker }, 'reports are written directly to this worker')
    } catch (err) {
      if (state === 'unknown') {
        log.warn({ worker, err }, UNREACHABLE)
      }
      state = 'away'
    }
  }

  function lost(err: unknown): void {
    if (state === 'reached') {
      state = 'away'
      log.warn({ worker, err }, UNREACHABLE)
    }
  }

  const checks = startInterval({ everyMs: checkEveryMs, work: check })

  return {
    check,
    isReached: () => state === 'reached',
    async run(shard, work) {
      // What waits for the lock of one shard delays no batch of several.
      const connection = connections[shard === null ? 0 : 1 + (shard % (CONNECTIONS_MAX - 1))]
      if (state !== 'reached' || connection === undefined) {
        return null
      }
      let isSent = false
      try {
        return await connection.run((sql) => {
          isSent = true
          return work(sql)
        })
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || error instanceof StoreBusy) {
          throw error
        }
        lost(error)
        if (isSent) {
          throw error
        }
        return null
      }
    },
    async close() {
      await checks.stop()
      await endPool(pool)
    },
  }
}

const UNREACHABLE =
  'a worker cannot be reached from here: its reports are written through the coordinator, which is slower'

function nameOf({ host, port }: Address): string {
  return `${host}:${port}`
}
