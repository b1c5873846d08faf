import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'

type Row = readonly [name: string, value: string, why: string]

/**
 * The settings of the server, given on its command line at every start, with those of `sizedSettings`. A
 * caller may override them.
 */
export const SETTINGS: readonly Row[] = [
  ['fsync', 'on', 'an acknowledged commit survives a power cut'],
  ['synchronous_commit', 'on', 'the same: a commit is answered only once it is on disk'],
  ['full_page_writes', 'on', 'a page half written in a power cut can be restored'],
  ['wal_level', 'replica', 'allows base backups while it runs'],
  ['max_wal_senders', '2', 'one base backup and its log stream, no replicas'],
  ['max_replication_slots', '0', 'an abandoned slot would keep the log until the disk is full'],
  ['max_logical_replication_workers', '0', 'unused; saves the launcher process'],
  ['min_wal_size', '80MB', 'a small installation stays small'],
  ['max_connections', '60', 'several pools of 10 to 20, a command line tool, the lock'],
  ['huge_pages', 'off', 'nothing to gain at this size, and one less thing that can fail'],
  ['io_method', 'sync', 'short reads from cache; saves three worker processes'],
  ['max_parallel_workers_per_gather', '0', 'every query is short; keeps a core for the others'],
  ['max_worker_processes', '2', 'with no parallel queries none is needed'],
  ['jit', 'off', 'compiling costs more than short queries take'],
  ['random_page_cost', '1.1', 'solid-state disks and cached data: prefer the index'],
  ['TimeZone', 'UTC', 'the same on every machine'],
  ['log_timezone', 'UTC', 'the same'],
  ['autovacuum_naptime', '15s', 'rows that are updated all the time are cleaned soon'],
  [
    'autovacuum_vacuum_scale_factor',
    '0.05',
    'frequently updated rows: clean at 5 % dead, not at 20 %',
  ],
  ['autovacuum_analyze_scale_factor', '0.02', 'small tables grow fast; keeps their plans right'],
  [
    'default_statistics_target',
    '30',
    'a sample of 9,000 rows is enough for plans by keys, and takes a third of the processor time',
  ],
  ['autovacuum_worker_slots', '4', 'the workers below, without memory for more'],
  ['autovacuum_max_workers', '2', 'cleaning must not take both cores of a small machine'],
  ['idle_in_transaction_session_timeout', '60s', 'a lost transaction must not hold row locks'],
  ['log_min_messages', 'error', 'only what an operator must act on'],
  ['log_min_error_statement', 'panic', 'statements may hold personal data: never in the log'],
  ['log_error_verbosity', 'terse', 'the same: DETAIL quotes the values of a row'],
  ['log_checkpoints', 'off', 'two lines every five minutes without any use'],
  ['log_line_prefix', '%m [%p] ', 'time and process'],
]

export interface Machine {
  readonly memoryBytes: number
  /** On the file system of the data directory. */
  readonly freeBytes: number
}

/**
 * Settings that depend on the machine.
 *
 * - `shared_buffers`: a 32nd of the memory, because the rest runs the service and caches files. Only pages in
 *   use are resident.
 * - `max_wal_size`: checkpoints run by time and not by load. After each, the first change of a page writes all
 *   of it to the log: with 1 GB and many agents, that was most of the log. Recovery after a crash replays
 *   100 MB a second or more, so 4 GB take 40 seconds at most.
 */
export function sizedSettings({ memoryBytes, freeBytes }: Machine) {
  return {
    shared_buffers: `${between(128, memoryBytes / MB / 32, 512)}MB`,
    max_wal_size: `${between(1_024, freeBytes / MB / 16, 4_096)}MB`,
  }
}

const MB = 1024 ** 2

function between(min: number, value: number, max: number): number {
  return Math.floor(Math.min(Math.max(value, min), max))
}

/** What makes the server private. These cannot be overridden. */
export const FIXED: readonly Row[] = [
  ['listen_addresses', '', 'nothing on TCP, ever'],
  ['unix_socket_permissions', '0700', 'its own user only, besides root'],
]

/** Below this, PostgreSQL's shared memory files could fill /dev/shm (a container's is 64 MB). */
const SHM_MIN_BYTES = 128 * 1024 * 1024

/**
 * The command line arguments. `dataDir` is a directory on the disk of the data, `socketDir` where the socket
 * is created, `name` what the processes are called in a process list, by which they are found again.
 */
export async function settingArguments(
  dataDir: string,
  socketDir: string,
  name: string,
  overrides: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const values = {
    ...valuesOf(SETTINGS),
    ...sizedSettings(await machineOf(dataDir)),
    dynamic_shared_memory_type: await sharedMemoryType('/dev/shm'),
    ...overrides,
    ...valuesOf(FIXED),
    unix_socket_directories: socketDir,
    cluster_name: name,
  }
  return Object.entries(values).flatMap(([key, value]) => ['-c', `${key}=${value}`])
}

/** The machine on which a directory lies. In a container, its memory is what the container may use. */
export async function machineOf(dataDir: string): Promise<Machine> {
  const { bavail, bsize } = await statfs(dataDir)
  // 0, or more than the machine has, where nothing limits it.
  const memoryBytes = Math.min(process.constrainedMemory() || totalmem(), totalmem())
  return { memoryBytes, freeBytes: bavail * bsize }
}

/**
 * `posix` keeps shared memory in /dev/shm; where that is small or missing (a container), files inside
 * the data directory do, mapped into memory.
 */
export async function sharedMemoryType(dir: string): Promise<'posix' | 'mmap'> {
  if (process.platform !== 'linux') {
    return 'posix'
  }
  const shm = await statfs(dir).catch(() => undefined)
  return shm && shm.bavail * shm.bsize >= SHM_MIN_BYTES ? 'posix' : 'mmap'
}

function valuesOf(rows: readonly Row[]): Record<string, string> {
  return Object.fromEntries(rows.map(([name, value]) => [name, value]))
}
