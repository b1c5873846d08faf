import type { KeyUse } from '../auth/key-use.ts'
import type { Context } from '../context.ts'
import type { DecisionLog } from '../decisions/decision-log.ts'
import type { Reading } from '../identifiers/kind.ts'
import { recheckDue } from '../identifiers/recheck.ts'
import { createDelegations } from '../identity/delegation-tasks.ts'
import type { Recorder } from '../ingest/record-reports.ts'
import type { EachAgentOptions } from '../lib/each-agent.ts'
import { type Schedule, startInterval } from '../lib/interval.ts'
import type { Log } from '../lib/log.ts'
import { deleteExpired } from '../retention/expired.ts'
import { applyRetention, type RetentionRun } from '../retention/retention.ts'
import { carryOutDiscards, type DiscardRun } from '../reviews/carry-out-discards.ts'
import { startReleases } from '../reviews/releases.ts'
import { startAttributor } from '../scoring/attributor.ts'
import { startModelMigrator } from '../scoring/model-migrator.ts'
import type { QuarantinedScores } from '../scoring/score-with-quarantined.ts'
import type { RetentionSettings } from '../settings/retention.ts'
import type { TurnStore } from '../store/turns.ts'
import type { BackgroundSchedule } from './background-schedule.ts'
import type { Task, TaskWatch } from './task-metrics.ts'

export interface BackgroundTasksOptions {
  readonly context: Context
  /** Records the events that the service itself reports. */
  readonly recorder: Recorder
  /** Revokes the score credentials that the passing of days made untrue. */
  readonly sweepCredentials: () => Promise<void>
  /** What proofs of identifiers are looked up with. */
  readonly reading: Reading
  readonly quarantinedScores: QuarantinedScores
  readonly keyUse: KeyUse
  readonly decisionLog: DecisionLog
  readonly retention: RetentionSettings
  readonly onRemoved: RetentionRun['onRemoved']
  readonly watched: TaskWatch['watched']
  readonly onError: (error: unknown) => void
  readonly log: Log
  readonly schedule: BackgroundSchedule
}

export interface BackgroundTasks {
  /** Starts no more work, and waits for what runs. */
  close(): Promise<void>
}

interface BackgroundTask extends Task, Schedule {
  readonly work: () => Promise<unknown>
  /** Where one node does the work for all: the name of the turn that they take. */
  readonly turn: string | undefined
}

/**
 * The share of the time between two rounds that a turn lasts. The next round of the same node is a little later than
 * its end; nodes that start together, or one after the other, have one turn.
 */
const TURN = 0.9

/** The work of this node that no request causes. */
export function startBackgroundTasks(options: BackgroundTasksOptions): BackgroundTasks {
  const { context, watched, onError } = options
  let isStopping = false
  const stops = () => isStopping
  const workers = startWorkers(options)
  const intervals = tasksOf(options, stops).map((task) =>
    startInterval({
      ...task,
      work: watched(task, inTurn(context.store.turns, task, stops)),
      onError,
    }),
  )
  return {
    async close() {
      isStopping = true
      await Promise.all(intervals.map((interval) => interval.stop()))
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

/** What goes through all agents, or through what waits, at its own pace. */
function startWorkers({
  context,
  schedule,
  quarantinedScores,
  onError,
  log,
}: BackgroundTasksOptions): readonly { close(): Promise<void> }[] {
  return [
    startModelMigrator(context, schedule.model, {
      migrated: (agents) => log.info({ agents }, 'scores migrated to the current model'),
      failed: (error, agentId) => log.warn({ err: error, agentId }, 'scores not migrated'),
    }),
    startAttributor({
      store: context.store,
      schedule: schedule.attributions,
      // Folds what such an agent would be if its quarantined events counted.
      onQuarantined: quarantinedScores.keepUp,
      onFailed: failureLog(log, 'score not attributed; it is tried again'),
      onError,
    }),
    startReleases({
      ...context,
      schedule: schedule.releases,
      onReleased: (released) => log.info(released, 'released events count'),
      onError,
    }),
  ]
}

/** What is done again and again, each with how often. */
function tasksOf(
  options: BackgroundTasksOptions,
  isStopping: () => boolean,
): readonly BackgroundTask[] {
  const { context, recorder, reading, retention, onRemoved, schedule, log } = options
  const { store, now } = context
  const delegations = createDelegations(store, recorder)
  const removing = {
    isStopping,
    onFailed: failureLog(log, 'old data of an agent not removed; it is tried again'),
  }
  const limiting = {
    isStopping,
    onFailed: failureLog(log, 'ceiling of the children of an agent not updated; it is tried again'),
  }
  const onFinished: DiscardRun['onFinished'] = ({ platformId, agents }) =>
    log.info({ platformId, agents }, 'the reports of a platform are discarded')
  const task = (
    name: keyof BackgroundSchedule,
    work: () => Promise<unknown>,
    turn?: string,
  ): BackgroundTask => ({ ...schedule[name], name, work, turn })
  return [
    task('credentials', options.sweepCredentials),
    task(
      'retention',
      () => applyRetention({ ...context, ...removing, retention, onRemoved }),
      // Other settings are applied as soon as a node starts with them.
      `retention ${JSON.stringify(retention)}`,
    ),
    task('delegations', delegations.carryOut),
    task('discards', () => carryOutDiscards({ store, recorder, isStopping, onFinished })),
    task('ceilings', () => delegations.limitAll(limiting), 'ceilings'),
    task('key_use', options.keyUse.flush),
    task('decisions', options.decisionLog.flush),
    task('identifiers', () => recheckDue({ ...context, reading })),
    task('expired', () => deleteExpired(store, now(), isStopping), 'expired'),
  ]
}

function failureLog(log: Log, message: string): EachAgentOptions['onFailed'] {
  return (err, agentId) => log.warn({ err, agentId }, message)
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
