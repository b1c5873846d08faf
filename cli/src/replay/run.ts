import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Score, StandingError } from '@standing/sdk'
import { assemble, type Cast } from './cast.ts'
import { type Counts, type Delivery, deliver } from './deliver.ts'
import { dispatch } from './dispatch.ts'
import { ReplayError } from './error.ts'
import { Journal } from './journal.ts'
import { readLines } from './lines.ts'
import type { ReplayOptions } from './options.ts'
import { createPatience, type Patience } from './patience.ts'
import { type Plan, plannedEvents, planOf } from './plan.ts'
import { showProgress } from './progress.ts'
import { type Result, resultOf } from './result.ts'

/** Where progress is shown. */
export type Terminal = Parameters<typeof showProgress>[0]

/** The service's bound on a batch (interface, Limits). */
const BATCH_MAX = 100
/** Some ten megabytes of events, and enough to find work for every connection. */
const ITEMS_MAX = 20_000

/** Reports the stream, asks for the scores, and compares. */
export async function replay(options: ReplayOptions, out: Terminal): Promise<Result> {
  const plan = await planOf(readLines(options.file), options)
  if (plan.events === 0) {
    throw new ReplayError(`${options.file} has no event to report.`)
  }
  const counts: Counts = { accepted: 0, quarantined: 0, rejected: 0, reasons: new Map() }
  const progress = showProgress(out, plan.events, () => counts.accepted + counts.rejected)
  const patience = createPatience(options.patienceMs, tellOnce(progress.note, options.patienceMs))
  const journal = options.journal === undefined ? undefined : await Journal.open(options.journal)
  try {
    const cast = await assemble(options, platformCount(plan, options), patience)
    const { run } = options
    const { platforms } = plan
    const started = Date.now()
    await report(options, plan, { run, cast, platforms, patience, journal, counts })
    const seconds = (Date.now() - started) / 1000
    progress.stop()
    const scores = await scoresOf(cast, plan, patience)
    const file = basename(options.file)
    const result = resultOf({ ...options, file, seconds, counts, plans: plan.agents, scores })
    if (options.json) {
      await writeFile(options.json, `${JSON.stringify(result, null, 2)}\n`)
    }
    return result
  } finally {
    progress.stop()
    await journal?.close()
  }
}

function report(options: ReplayOptions, plan: Plan, delivery: Delivery): Promise<void> {
  const events = plannedEvents(readLines(options.file), plan, options)
  const bounds = { concurrency: options.concurrency, batchMax: BATCH_MAX, itemsMax: ITEMS_MAX }
  return dispatch(events, bounds, {
    keyOf: (event) => event.plan.name,
    isLast: (event) => event.index === event.plan.reported - 1,
    send: (part) => deliver(delivery, part),
  })
}

function platformCount(plan: Plan, { platformsMax }: ReplayOptions): number {
  return Math.min(platformsMax, plan.platforms.size)
}

async function scoresOf(
  { owner, agentIdOf }: Cast,
  plan: Plan,
  patience: Patience,
): Promise<ReadonlyMap<string, Score>> {
  const names = new Map<string, string>()
  for (const name of plan.agents.keys()) {
    names.set(await agentIdOf(name), name)
  }
  const { data } = await patience(() => owner.score.getBatch([...names.keys()]))
  return new Map(data.map((score) => [names.get(score.agentId) ?? '', score]))
}

/** Many calls find an outage at once; one line a while says it. */
function tellOnce(note: (text: string) => void, patienceMs: number) {
  let told = Number.NEGATIVE_INFINITY
  return (error: StandingError) => {
    if (patienceMs === 0 || Date.now() - told < patienceMs) {
      return
    }
    told = Date.now()
    note(`The service is away (${error.message}); trying for another ${patienceMs / 1000} s.`)
  }
}
