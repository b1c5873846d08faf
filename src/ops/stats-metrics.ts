import { MODEL_VERSION } from '../domain/model.ts'
import { shareReads } from '../lib/shared-read.ts'
import { withinMs } from '../lib/within-ms.ts'
import type { Backlog, Backlogs, Figures, StatsStore } from '../store/stats.ts'
import type { Metrics } from './metrics.ts'

export interface StatsOptions {
  readonly stats: StatsStore
  readonly now: () => number
  /** Called when the figures cannot be read. */
  readonly onError: (error: unknown) => void
}

type Stats = Figures & Backlogs

/** Figures may be so old where many read them. */
const AGE_MAX_MS = 1_000

/** A scrape waits no longer for the database: the figures of the process matter most when it is away. */
const READ_MAX_MS = 2_000

/**
 * Adds the gauges that are read from the database: the same on every node. While it does not answer, they are
 * left out, and `standing_stats_up` is 0.
 */
export function watchStats(metrics: Metrics, { stats, now, onError }: StatsOptions): void {
  let known: Stats | null = null
  let clockOffsetMs = 0
  const { gauge, gauges, beforeRead } = metrics

  async function read(): Promise<Stats> {
    const startedAt = now()
    const found = await stats.figures()
    // Read in the middle of the time that the answer took.
    clockOffsetMs = (startedAt + now()) / 2 - found.databaseNow
    return { ...found, ...(await stats.backlogs(startedAt, MODEL_VERSION)) }
  }

  const shared = shareReads({
    read: () => withinMs(read(), READ_MAX_MS, LATE),
    ageMaxMs: AGE_MAX_MS,
  })
  beforeRead(async () => {
    known = await shared().catch((error: unknown) => {
      onError(error)
      return null
    })
  })
  const figure = (name: string, help: string, value: (known: Stats) => number) =>
    gauge(name, help, () => (known ? value(known) : Number.NaN))
  const figures = (
    name: string,
    help: string,
    label: string,
    values: (known: Stats) => ReadonlyMap<string, number>,
  ) => gauges(name, help, label, () => (known ? values(known) : new Map()))

  gauge('standing_stats_up', 'Whether the figures from the database are current', () =>
    Number(known !== null),
  )
  figure('standing_database_bytes', 'Size of the database', (one) => one.databaseBytes)
  figures(
    'standing_table_bytes',
    'Size of a table that grows, with its indexes',
    'table',
    (one) => one.tableBytes,
  )
  figure(
    'standing_clock_offset_seconds',
    'How far the clock of this node is ahead of that of the database',
    () => clockOffsetMs / 1000,
  )
  figures(
    'standing_backlog',
    'Work that waits, by queue; counted up to 10,000',
    'queue',
    (one) => new Map(backlogsOf(one).map(([queue, { count }]) => [queue, count])),
  )
  figures(
    'standing_backlog_oldest_age_seconds',
    'For how long the oldest of it has waited',
    'queue',
    (one) => new Map(backlogsOf(one).map(([queue, backlog]) => [queue, ageOf(backlog, now())])),
  )
  figures('standing_webhooks', 'Subscriptions, by status', 'status', ({ webhooks }) => {
    return new Map([...NO_WEBHOOKS, ...webhooks])
  })
  figure(
    'standing_model_migration_agents',
    'Agents whose score is still of another model; counted up to 10,000',
    (one) => one.agentsToMigrate,
  )
  figure(
    'standing_checkpoints_unattributed',
    'Checkpoints without the attribution that explanations begin with; counted up to 10,000',
    (one) => one.checkpointsToAttribute,
  )
  figure(
    'standing_last_backup_timestamp_seconds',
    'When `standing backup` last ended; 0 for never',
    ({ lastBackupAt }) => (lastBackupAt ?? 0) / 1000,
  )
  figures(
    'standing_signing_key_created_timestamp_seconds',
    'When the key that signs was made, by purpose',
    'purpose',
    ({ signingKeys }) => new Map([...signingKeys].map(([purpose, at]) => [purpose, at / 1000])),
  )
}

const NO_WEBHOOKS = ['active', 'paused', 'disabled'].map((status) => [status, 0] as const)

function backlogsOf(stats: Stats): readonly (readonly [string, Backlog])[] {
  return [
    ['reviews', stats.reviews],
    ['releases', stats.releases],
    ['deliveries', stats.deliveries],
    ['mails', stats.mails],
    ['erasures', stats.erasures],
    ['identifier_checks', stats.identifierChecks],
  ]
}

function ageOf({ oldestAt }: Backlog, now: number): number {
  return oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000
}

const LATE = new Error('the figures were not read in time')
