import { KEY_USE_MS, type KeyUse } from '../auth/key-use.ts'
import type { Context } from '../context.ts'
import { DECISIONS_MS, type DecisionLog } from '../decisions/decision-log.ts'
import { HOUR_MS } from '../domain/time.ts'
import type { Delegations } from '../identity/delegation-tasks.ts'
import type { EachAgentOptions } from '../lib/each-agent.ts'
import { APART_MS, startInterval } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
import { deleteExpired } from '../retention/expired.ts'
import { applyRetention, type RetentionRun } from '../retention/retention.ts'
import { startReleases } from '../reviews/releases.ts'
import { startAttributor } from '../scoring/attributor.ts'
import { startModelMigrator } from '../scoring/model-migrator.ts'
import type { RetentionSettings } from '../settings/retention.ts'
import type { TurnStore } from '../store/turns.ts'
import type { Task, TaskWatch } from './task-metrics.ts'

export interface BackgroundTasksOptions {
  readonly context: Context
  /** Revokes the score credentials that the passing of days made untrue. */
  readonly sweepCredentials: () => Promise<void>
  /** Checks the verified identifiers that are due. */
  readonly recheckIdentifiers: () => Promise<unknown>
  /** Folds what such an agent would be if its quarantined events counted. */
  readonly onQuarantined: (agentId: string) => void
  readonly delegations: Delegations
  /** Continues to discard the reports of platforms. */
  readonly discard: (isStopping: () => boolean) => Promise<void>
  readonly keyUse: KeyUse
  readonly decisionLog: DecisionLog
  readonly retention: RetentionSettings
  readonly onRemoved: RetentionRun['onRemoved']
  readonly watched: TaskWatch['watched']
  readonly onError: (error: unknown) => void
  readonly log: Log
  /** How often to look for what requests left to be done. Defaults to a second. */
  readonly backgroundMs?: number | undefined
}

export interface BackgroundTasks {
  /** Starts no more work, and waits for what runs. */
  close(): Promise<void>
}

interface BackgroundTask extends Task {
  readonly work: () => Promise<unknown>
  readonly startsAfterMs?: number
  /** Where one node does the work for all: the name of the turn that they take. */
  readonly turn?: string
}

/**
 * The share of the time between two rounds that a turn lasts. The next round of the same node is a little later than
 * its end; nodes that start together, or one after the other, have one turn.
 */
const TURN = 0.9

/** Webhooks report a revocation that no request caused within the hour. */
const CREDENTIALS_MS = HOUR_MS

/** Each is due once a day; this spreads those that were verified together. */
const IDENTIFIERS_MS = 60_000

/**
 * A parent learns what its children did, and the other way round, within about a second. A long release
 * begins as soon.
 */
const BACKGROUND_MS = 1_000

/** A score that only the days move does so by a point or two in a day. */
const CEILINGS_MS = HOUR_MS

/** Expired rows outlive their time by at most ten minutes: two rounds. */
const EXPIRED_MS = 300_000

/** At least once a day, which two rounds are, is enough for what is kept for months. */
const RETENTION_MS = 12 * HOUR_MS

/** An agent may be locked for minutes. What keeps failing adds a round of reads in an hour. */
const RETENTION_RETRY_MS = HOUR_MS

/** The work of this node that no request causes. */
export function startBackgroundTasks({
  context,
  sweepCredentials,
  recheckIdentifiers,
  onQuarantined,
  delegations,
  discard,
  keyUse,
  decisionLog,
  onError,
  retention,
  onRemoved,
  watched,
  log,
  backgroundMs = BACKGROUND_MS,
}: BackgroundTasksOptions): BackgroundTasks {
  const { store, now } = context
  let isStopping = false
  const migrator = startModelMigrator(context, {
    migrated: (agents) => log.info({ agents }, 'scores migrated to the current model'),
    failed: (error, agentId) => log.warn({ err: error, agentId }, 'scores not migrated'),
  })
  const stops = () => isStopping
  const forEach = (message: string): EachAgentOptions => ({
    isStopping: stops,
    onFailed: (err, agentId) => log.warn({ err, agentId }, message),
  })
  const attributor = startAttributor({
    store,
    everyMs: backgroundMs,
    onQuarantined,
    onFailed: forEach('score not attributed; it is tried again').onFailed,
    onError,
  })
  const releases = startReleases({
    ...context,
    everyMs: backgroundMs,
    onReleased: (released) => log.info(released, 'released events count'),
    onError,
  })
  const removed = forEach('old data of an agent not removed; it is tried again')
  const removal = () => applyRetention({ ...context, ...removed, retention, onRemoved })
  const limited = forEach('ceiling of the children of an agent not updated; it is tried again')
  const tasks: readonly BackgroundTask[] = [
    { name: 'credentials', everyMs: CREDENTIALS_MS, work: sweepCredentials },
    {
      name: 'retention',
      // Other settings are applied as soon as a node starts with them.
      turn: `retention ${JSON.stringify(retention)}`,
      everyMs: RETENTION_MS,
      retryMs: RETENTION_RETRY_MS,
      work: removal,
      startsAfterMs: 4 * APART_MS,
    },
    {
      name: 'delegations',
      everyMs: backgroundMs,
      work: delegations.carryOut,
      startsAfterMs: 5 * APART_MS,
    },
    {
      name: 'discards',
      everyMs: backgroundMs,
      work: () => discard(stops),
      startsAfterMs: 6 * APART_MS,
    },
    {
      name: 'ceilings',
      turn: 'ceilings',
      everyMs: CEILINGS_MS,
      work: () => delegations.limitAll(limited),
    },
    { name: 'key_use', everyMs: KEY_USE_MS, work: keyUse.flush },
    { name: 'decisions', everyMs: DECISIONS_MS, work: decisionLog.flush },
    { name: 'identifiers', everyMs: IDENTIFIERS_MS, work: recheckIdentifiers },
    {
      name: 'expired',
      turn: 'expired',
      everyMs: EXPIRED_MS,
      work: () => deleteExpired(store, now(), stops),
    },
  ]
  const intervals = tasks.map((task) =>
    startInterval({ ...task, work: watched(task, inTurn(store.turns, task, stops)), onError }),
  )
  return {
    async close() {
      isStopping = true
      await Promise.all(intervals.map((interval) => interval.stop()))
      await Promise.all([migrator.close(), attributor.close(), releases.close()])
    },
  }
}

/**
 * The work of a task, left out while another node has the turn. A round that fails, or that a stop ends, gives the turn
 * back. That of a node that dies ends by itself: rounds of other nodes may lie anywhere, so twice the time between two
 * rounds may pass without one.
 */
function inTurn(
  turns: TurnStore,
  { turn, everyMs, work }: BackgroundTask,
  isStopping: () => boolean,
): () => Promise<unknown> {
  if (turn === undefined) {
    return work
  }
  return async () => {
    const until = await turns.take(turn, everyMs * TURN)
    if (until === null) {
      return
    }
    let isDone = false
    try {
      await work()
      isDone = !isStopping()
    } finally {
      if (!isDone) {
        await turns.giveBack(turn, until)
      }
    }
  }
}
