import { statfs } from 'node:fs/promises'
import { startInterval } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
import { createReserve } from './disk-reserve.ts'
import type { Metrics } from './metrics.ts'

/**
 * Refuses writes before the disk is full. A PostgreSQL that cannot write its log stops, and then serves
 * no reads either.
 */
export interface DiskGuard {
  /** Why nothing may be written; null where it may. */
  problem(): string | null
  /** Null where no disk is watched. */
  freeBytes(): number | null
  readonly freeMinBytes: number
  /** To be called when the database said that its disk is full. */
  reportFull(): void
  close(): Promise<void>
}

export interface DiskGuardOptions {
  /** The directory whose disk is watched; null for none. */
  readonly dir: string | null
  /** Writes are refused when less is free. */
  readonly freeMinBytes: number
  readonly log: Log
  /** Bytes that are free on the disk of a directory. */
  readonly measure?: (dir: string) => Promise<number>
}

/** A full disk fills in seconds, under load. */
const EVERY_MS = 1_000

/** Writes are taken again when a quarter more is free, so that they are not taken and refused in turns. */
const ENOUGH = 1.25

/** How long a report by the database counts. After that a write is tried again. */
const REPORTED_MS = 10_000

const PROBLEM = 'the disk is nearly full'

export async function startDiskGuard(options: DiskGuardOptions): Promise<DiskGuard> {
  const { dir, freeMinBytes, log, measure = freeBytesOf } = options
  const reserve = dir === null ? null : createReserve(dir, log)
  let free: number | null = null
  let isLow = false
  let reportedUntil = Number.NEGATIVE_INFINITY

  async function check(): Promise<void> {
    if (dir === null) {
      return
    }
    free = await measure(dir)
    const wasLow = isLow
    isLow = free < (wasLow ? freeMinBytes * ENOUGH : freeMinBytes)
    if (isLow !== wasLow) {
      log.warn(
        { freeBytes: free, freeMinBytes },
        isLow ? `${PROBLEM}: writes are refused` : 'writes are taken again',
      )
    }
    await reserve?.adjust(free, freeMinBytes)
  }

  const onError = (err: unknown) => log.warn({ err }, 'the free space of the disk is unknown')
  await check().catch(onError)
  const interval = startInterval({ everyMs: EVERY_MS, work: check, onError })
  return {
    problem: () => (isLow || performance.now() < reportedUntil ? PROBLEM : null),
    freeBytes: () => free,
    freeMinBytes,
    reportFull() {
      reportedUntil = performance.now() + REPORTED_MS
    },
    close: () => interval.stop(),
  }
}

async function freeBytesOf(dir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dir)
  return bavail * bsize
}

/** Adds the gauges of the disk, where one is watched. */
export function watchDisk({ gauge }: Metrics, disk: DiskGuard): void {
  gauge('standing_writes_refused', 'Whether writes are refused because of the disk', () =>
    Number(disk.problem() !== null),
  )
  if (disk.freeBytes() !== null) {
    gauge(
      'standing_disk_free_bytes',
      'Free on the disk of the data directory',
      () => disk.freeBytes() ?? 0,
    )
    gauge(
      'standing_disk_free_min_bytes',
      'Free bytes below which writes are refused',
      () => disk.freeMinBytes,
    )
  }
}
