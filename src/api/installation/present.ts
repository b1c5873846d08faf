import { isShared } from '../../domain/places.ts'
import type { TaskState } from '../../lib/task-state.ts'
import type { BackupRecord } from '../../store/installation.ts'
import type { Backlog, Backlogs } from '../../store/stats.ts'
import type { AgentState } from '../../store/store.ts'
import { time, timeOrNull } from '../wire.ts'

export function presentJob(task: TaskState) {
  const { name, everyMs, isRunning, startedAt, succeededAt, nextAt, failures, lastError } = task
  return {
    name,
    everySeconds: everyMs / 1000,
    isRunning,
    lastStartedAt: timeOrNull(startedAt),
    lastSucceededAt: timeOrNull(succeededAt),
    nextAt: time(nextAt),
    failures,
    lastError: lastError && { ...lastError, at: time(lastError.at) },
  }
}

export function queuesOf(backlogs: Backlogs) {
  const queue = (name: string, { count, oldestAt }: Backlog) => {
    return { name, waiting: count, oldestAt: timeOrNull(oldestAt) }
  }
  const counted = (count: number): Backlog => ({ count, oldestAt: null })
  return [
    queue('reviews', backlogs.reviews),
    queue('releases', backlogs.releases),
    queue('deliveries', backlogs.deliveries),
    queue('mails', backlogs.mails),
    queue('erasures', backlogs.erasures),
    queue('discards', backlogs.discards),
    queue('identifier_checks', backlogs.identifierChecks),
    queue('model_migration', counted(backlogs.agentsToMigrate)),
    queue('attributions', counted(backlogs.checkpointsToAttribute)),
  ]
}

export function presentBackup({ asOf, verifiedAt, ...rest }: BackupRecord) {
  return { ...rest, asOf: time(asOf), verifiedAt: time(verifiedAt) }
}

/** Of the platforms with a vote of their own about these agents, how many name counterparties. */
export function counterpartiesNamed(states: readonly AgentState[]): number | null {
  const all = new Set<string>()
  const naming = new Set<string>()
  for (const { voter, parties } of states.flatMap(({ evidence }) => evidence.sources)) {
    if (!isShared(voter)) {
      all.add(voter)
    }
    if (!isShared(voter) && parties.length > 0) {
      naming.add(voter)
    }
  }
  return all.size === 0 ? null : naming.size / all.size
}
