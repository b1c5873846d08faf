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

interface Stats extends Figures, Backlogs {
  /** How far the clock of this node is ahead of that of the database. */
  readonly clockOffsetMs: number
}

/** Figures may be so old where many read them. */
const AGE_MAX_MS = 1_000

/** A scrape waits no longer for the database: the figures of the process matter most when it is away. */
const READ_MAX_MS = 2_000

/**
 * Adds the gauges that are read from the database: the same on every node. While it does not answer, they are
 * left out, and `standing_stats_up` is 0.
 */
export function watchStats(metrics: Metrics, options: StatsOptions): void {
  const { now, onError } = options
  let known: Stats | null = null
  const shared = shareReads({
    read: () => withinMs(readStats(options), READ_MAX_MS, LATE),
    ageMaxMs: AGE_MAX_MS,
  })
  metrics.beforeRead(async () => {
    known = await shared().catch((error: unknown) => {
      onError(error)
      return null
    })
  })
  metrics.gauge('standing_stats_up', 'Whether the figures from the database are current', () =>
    Number(known !== null),
  )
  for (const gauge of GAUGES) {
    const { name, help } = gauge
    if ('label' in gauge) {
      const { label, values } = gauge
      metrics.gauges(name, help, label, () => (known ? values(known, now()) : new Map()))
    } else {
      metrics.gauge(name, help, () => (known ? gauge.value(known) : Number.NaN))
    }
  }
}

async function readStats({ stats, now }: StatsOptions): Promise<Stats> {
  const startedAt = now()
  const figures = await stats.figures()
  // Read in the middle of the time that the answer took.
  const clockOffsetMs = (startedAt + now()) / 2 - figures.databaseNow
  return { ...figures, ...(await stats.backlogs(startedAt, MODEL_VERSION)), clockOffsetMs }
}

interface Gauge {
  readonly name: string
  readonly help: string
  readonly value: (stats: Stats) => number
}

interface LabelledGauge {
  readonly name: string
  readonly help: string
  readonly label: string
  readonly values: (stats: Stats, now: number) => ReadonlyMap<string, number>
}

const GAUGES: readonly (Gauge | LabelledGauge)[] = [
  {
    name: 'standing_database_bytes',
    help: 'Size of the database',
    value: ({ databaseBytes }) => databaseBytes,
  },
  {
    name: 'standing_table_bytes',
    help: 'Size of a table that grows, with its indexes',
    label: 'table',
    values: ({ tableBytes }) => tableBytes,
  },
  {
    name: 'standing_clock_offset_seconds',
    help: 'How far the clock of this node is ahead of that of the database',
    value: ({ clockOffsetMs }) => clockOffsetMs / 1000,
  },
  {
    name: 'standing_backlog',
    help: 'Work that waits, by queue; counted up to 10,000',
    label: 'queue',
    values: (stats) => new Map(backlogsOf(stats).map(([queue, { count }]) => [queue, count])),
  },
  {
    name: 'standing_backlog_oldest_age_seconds',
    help: 'For how long the oldest of it has waited',
    label: 'queue',
    values: (stats, now) =>
      new Map(backlogsOf(stats).map(([queue, backlog]) => [queue, ageOf(backlog, now)])),
  },
  {
    name: 'standing_webhooks',
    help: 'Subscriptions, by status',
    label: 'status',
    values: ({ webhooks }) => new Map([...NO_WEBHOOKS, ...webhooks]),
  },
  {
    name: 'standing_model_migration_agents',
    help: 'Agents whose score is still of another model; counted up to 10,000',
    value: ({ agentsToMigrate }) => agentsToMigrate,
  },
  {
    name: 'standing_checkpoints_unattributed',
    help: 'Checkpoints without the attribution that explanations begin with; counted up to 10,000',
    value: ({ checkpointsToAttribute }) => checkpointsToAttribute,
  },
  {
    name: 'standing_last_backup_timestamp_seconds',
    help: 'When `standing backup` last ended; 0 for never',
    value: ({ lastBackupAt }) => (lastBackupAt ?? 0) / 1000,
  },
  {
    name: 'standing_issuing_halted_timestamp_seconds',
    help: 'Since when the operator has halted the issuing of credentials; 0 while they are issued',
    value: ({ issuingHaltedAt }) => (issuingHaltedAt ?? 0) / 1000,
  },
  {
    name: 'standing_signing_key_created_timestamp_seconds',
    help: 'When the key that signs was made, by purpose',
    label: 'purpose',
    values: ({ signingKeys }) =>
      new Map([...signingKeys].map(([purpose, at]) => [purpose, at / 1000])),
  },
]

/** Every status is there from the start, also where no subscription has it. */
const NO_WEBHOOKS = ['active', 'paused', 'disabled'].map((status) => [status, 0] as const)

function backlogsOf(stats: Stats): readonly (readonly [string, Backlog])[] {
  return [
    ['reviews', stats.reviews],
    ['releases', stats.releases],
    ['deliveries', stats.deliveries],
    ['mails', stats.mails],
    ['erasures', stats.erasures],
    ['discards', stats.discards],
    ['identifier_checks', stats.identifierChecks],
  ]
}

function ageOf({ oldestAt }: Backlog, now: number): number {
  return oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000
}

const LATE = new Error('the figures were not read in time')
