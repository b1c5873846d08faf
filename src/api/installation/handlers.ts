import type { Context } from '../../context.ts'
import { MODEL_VERSION } from '../../domain/model.ts'
import { DAY_MS, dayOf } from '../../domain/time.ts'
import { ok } from '../../http/response.ts'
import { bind, type Route } from '../../http/route.ts'
import { shareReads } from '../../lib/shared-read.ts'
import { signalAfter } from '../../lib/signal-after.ts'
import type { TaskState } from '../../lib/task-state.ts'
import { calibrationSince } from '../../scoring/calibration.ts'
import { collusionOn } from '../../scoring/collusion.ts'
import { backupIn, LATEST_BACKUP } from '../../store/installation.ts'
import { time } from '../wire.ts'
import { counterpartiesNamed, presentBackup, presentJob, queuesOf } from './present.ts'
import { pricesHere } from './prices.ts'
import { INSTALLATION_SPECS } from './spec.ts'

export interface InstallationDeps extends Context {
  readonly tasks: { states(): readonly TaskState[] }
}

export function installationRoutes(deps: InstallationDeps): readonly Route[] {
  const shared = <T>(read: () => Promise<T>) => shareReads({ read, ageMaxMs: AGE_MAX_MS })
  const calibration = shared(() => calibrationOf(deps))
  const resistance = shared(() => resistanceOf(deps))
  return bind(INSTALLATION_SPECS, deps, {
    listJobs,
    getBackups,
    getCalibration: async () => ok(await calibration()),
    getResistance: async () => ok(await resistance()),
  })
}

/** Nothing in these figures changes faster. */
const AGE_MAX_MS = 600_000

async function listJobs({ tasks, store, now }: InstallationDeps) {
  const backlogs = await store.stats.backlogs(now(), MODEL_VERSION)
  return ok({ jobs: tasks.states().map(presentJob), queues: queuesOf(backlogs) })
}

async function getBackups({ store }: InstallationDeps) {
  const { databaseBytes } = await store.stats.figures()
  const latest = backupIn(await store.installation.find({ name: LATEST_BACKUP }))
  return ok({ latest: latest && presentBackup(latest), databaseBytes })
}

/** The outcomes of this many days are compared with what was said before them. */
const CALIBRATED_DAYS = 30

async function calibrationOf(deps: InstallationDeps) {
  const since = deps.now() - CALIBRATED_DAYS * DAY_MS
  const { head, states } = await sampleOf(deps)
  const data = await calibrationSince(deps.store, states, since, {
    signal: signalAfter(WORK_MAX_MS),
  })
  return { ...head, since: time(since), data }
}

async function resistanceOf(deps: InstallationDeps) {
  const { head, states } = await sampleOf(deps)
  const platforms = await deps.store.platforms.count()
  const named = counterpartiesNamed(states)
  const data = await collusionOn(states, deps.now(), { signal: signalAfter(WORK_MAX_MS) })
  const prices = pricesHere(platforms.established, named)
  return { ...head, platforms, counterpartiesNamed: named, data, prices }
}

/** Enough for a figure in percent, and some seconds of work. */
const AGENTS_MAX = 100

/** A sample of agents that changes once a day, so that figures of one day can be compared. */
async function sampleOf({ store, now }: InstallationDeps) {
  const { ids, agentsInAll } = await store.agentStates.sample(AGENTS_MAX, dayOf(now()))
  const states = [...(await store.agentStates.findMany(ids)).values()]
  const computedAt = time(now())
  return {
    states,
    head: { agents: states.length, agentsInAll, modelVersion: MODEL_VERSION, computedAt },
  }
}

/** Longer than any sample takes on a machine that is not far behind with its work. */
const WORK_MAX_MS = 30_000
