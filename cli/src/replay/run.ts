import { open, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Score, StandingError } from '@standing/sdk'
import { UserError, unwritableFile } from '../../../src/lib/user-error.ts'
import type { ProgressStream } from '../command.ts'
import { openSyncedLines, type SyncedLines } from '../synced-lines.ts'
import { dispatch } from './dispatch.ts'
import { readLines } from './lines.ts'
import type { ReplayOptions } from './options.ts'
import { openParticipants, type Participants } from './participants.ts'
import { type Plan, plannedEvents, planOf } from './plan.ts'
import { showProgress } from './progress.ts'
import { type Counts, type Reporting, reportEvents } from './report.ts'
import { type Result, resultOf } from './result.ts'
import { createRetry, type Retry } from './retry.ts'

/** The service's limit of a batch. */
const BATCH_MAX = 100
/** Some ten megabytes of events; enough to keep every connection busy. */
const ITEMS_MAX = 20_000

/** Reports the events of the file, reads the scores, and compares. @throws UserError */
export async function replayFile(options: ReplayOptions, out: ProgressStream): Promise<Result> {
  await checkWritable(options.output)
  const plan = await planOf(readLines(options.file), options)
  if (plan.events === 0) {
    throw new UserError(`${options.file} contains no event to report.`)
  }
  const counts: Counts = {
    accepted: 0,
    quarantined: 0,
    rejected: 0,
    reasons: new Map(),
    rejectedLines: [],
  }
  const progress = showProgress(out, plan.events, () => counts.accepted + counts.rejected)
  const retry = createRetry(options.patienceMs, noteOutages(progress.note, options.patienceMs))
  const journal = options.journal === undefined ? undefined : await openJournal(options.journal)
  try {
    const platformCount = Math.min(options.platformsMax, plan.platforms.size)
    const participants = await openParticipants(options, platformCount, retry)
    const { run } = options
    const { platforms } = plan
    const started = performance.now()
    await report(options, plan, { run, participants, platforms, retry, journal, counts })
    const seconds = (performance.now() - started) / 1000
    progress.stop()
    const scores = await scoresOf(participants, plan, retry)
    const file = basename(options.file)
    const result = resultOf({
      ...options,
      file,
      seconds,
      counts,
      plans: plan.agents,
      unreported: plan.unreported,
      scores,
    })
    if (options.output) {
      await writeFile(options.output, `${JSON.stringify(result, null, 2)}\n`)
    }
    return result
  } finally {
    progress.stop()
    await journal?.close()
  }
}

/** Before the run: its result must not be lost at its end. @throws UserError */
async function checkWritable(file: string | undefined): Promise<void> {
  if (file === undefined) {
    return
  }
  try {
    await (await open(file, 'a')).close()
  } catch (error) {
    throw unwritableFile(file, error)
  }
}

/** @throws UserError */
async function openJournal(file: string): Promise<SyncedLines> {
  try {
    return await openSyncedLines(file)
  } catch (error) {
    throw unwritableFile(file, error)
  }
}

function report(options: ReplayOptions, plan: Plan, reporting: Reporting): Promise<void> {
  const events = plannedEvents(readLines(options.file), plan, options)
  const bounds = { concurrency: options.concurrency, batchMax: BATCH_MAX, itemsMax: ITEMS_MAX }
  return dispatch(events, bounds, {
    keyOf: (event) => event.plan.name,
    isLast: (event) => event.index === event.plan.reported - 1,
    send: (part) => reportEvents(reporting, part),
  })
}

async function scoresOf(
  { owner, agentIdOf }: Participants,
  plan: Plan,
  retry: Retry,
): Promise<ReadonlyMap<string, Score>> {
  const names = new Map<string, string>()
  for (const name of plan.agents.keys()) {
    names.set(await agentIdOf(name), name)
  }
  const scores = await retry(() => owner.score.getBatch([...names.keys()]))
  return new Map([...scores].map(([id, score]) => [names.get(id) ?? '', score]))
}

/** Many calls meet the same outage; it is reported once per patience time. */
function noteOutages(note: (text: string) => void, patienceMs: number) {
  let notedAt = Number.NEGATIVE_INFINITY
  return (error: StandingError) => {
    if (patienceMs === 0 || performance.now() - notedAt < patienceMs) {
      return
    }
    notedAt = performance.now()
    const seconds = patienceMs / 1000
    note(`The service is unavailable (${error.message}); retrying for ${seconds} s.`)
  }
}
