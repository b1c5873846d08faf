import { type EventInput, type Report, type Standing, StandingError } from '@standing/sdk'
import { type Cast, digest } from './cast.ts'
import { ReplayError } from './error.ts'
import type { Journal } from './journal.ts'
import type { Patience } from './patience.ts'
import type { Planned } from './plan.ts'
import { occurredAt } from './times.ts'

/** What became of the events so far. */
export interface Counts {
  /** Accepted, the quarantined among them. */
  accepted: number
  quarantined: number
  rejected: number
  /** Why events were refused, each reason with how often it came. */
  readonly reasons: Map<string, number>
}

export interface Delivery {
  readonly run: string
  readonly cast: Cast
  /** The places of the stream's platforms. */
  readonly platforms: ReadonlyMap<string, number>
  readonly patience: Patience
  readonly journal: Journal | undefined
  readonly counts: Counts
}

/** Reports events of one agent, in order: in as few requests as there are changes of platform. */
export async function deliver(delivery: Delivery, events: readonly Planned[]): Promise<void> {
  const [first] = events
  if (first === undefined) {
    return
  }
  const agentId = await delivery.cast.agentIdOf(first.plan.name)
  for (const part of byPlatform(events, platformChooser(delivery))) {
    const inputs = part.events.map((event) => inputOf(delivery, event))
    await account(delivery, inputs, await reportAll(delivery, part.platform, agentId, inputs))
  }
}

async function reportAll(
  { run, patience }: Delivery,
  platform: Standing,
  agentId: string,
  inputs: readonly EventInput[],
): Promise<Report> {
  try {
    return await patience(() => platform.events.report(agentId, inputs))
  } catch (error) {
    if (error instanceof StandingError && isCap(error.code, error.details)) {
      throw capReached(run)
    }
    throw error
  }
}

async function account(
  { run, counts, journal }: Delivery,
  inputs: readonly EventInput[],
  report: Report,
): Promise<void> {
  counts.accepted += report.accepted
  counts.rejected += report.rejected
  counts.quarantined += report.data.filter((record) => record?.isQuarantined).length
  const capped = report.errors.some((error) => isCap(error.code, error.details))
  for (const { code, message } of report.errors) {
    const reason = `${code}: ${message}`
    counts.reasons.set(reason, (counts.reasons.get(reason) ?? 0) + 1)
  }
  await journal?.append(
    inputs.flatMap(({ externalId = '' }, n) => {
      const record = report.data[n]
      return record ? [{ externalId, id: record.id }] : []
    }),
  )
  if (capped) {
    throw capReached(run)
  }
}

function isCap(code: string, details: Readonly<Record<string, unknown>> = {}): boolean {
  return code === 'RATE_LIMIT_EXCEEDED' && String(details.limit).startsWith('events_per_')
}

function capReached(run: string): ReplayError {
  return new ReplayError(`The service takes no more events this hour (100 per agent, 1,000 per platform, unless set
otherwise). Run it with STANDING_EVENTS_PER_AGENT_HOUR and STANDING_EVENTS_PER_PLATFORM_HOUR raised,
or with STANDING_RATE_LIMITS=off, and repeat with --run ${run}: nothing is counted twice.`)
}

function inputOf({ run, cast }: Delivery, { plan, line, index }: Planned): EventInput {
  const event = {
    type: line.type,
    data: line.data,
    occurredAt: occurredAt(plan, line.t, cast.anchor),
    externalId: externalIdOf(run, plan.name, index),
  }
  // Whether type and data fit is the service's to say: a replay shows what it makes of a stream.
  return event as EventInput
}

const EXTERNAL_ID_MAX = 100

/** The event's name, the same whenever the run is repeated. Long names of agents are told by a digest. */
export function externalIdOf(run: string, agent: string, index: number): string {
  const id = `${run}:${agent}:${index}`
  return id.length <= EXTERNAL_ID_MAX ? id : `${run}:${digest(agent).slice(0, 32)}:${index}`
}

/** The stream's platforms take turns on ours: one each, as far as those reach. */
function platformChooser({ cast, platforms }: Delivery): (event: Planned) => Standing {
  return ({ line }) => {
    const place = platforms.get(line.platform) ?? Number.NaN
    const chosen = cast.platforms[place % cast.platforms.length]
    if (!chosen) {
      throw new ReplayError('the file has changed since it was first read')
    }
    return chosen
  }
}

/** Neighbours on the same platform, together. */
function byPlatform(
  events: readonly Planned[],
  platformOf: (event: Planned) => Standing,
): readonly { readonly platform: Standing; readonly events: Planned[] }[] {
  const parts: { readonly platform: Standing; readonly events: Planned[] }[] = []
  for (const event of events) {
    const platform = platformOf(event)
    const last = parts.at(-1)
    if (last?.platform === platform) {
      last.events.push(event)
    } else {
      parts.push({ platform, events: [event] })
    }
  }
  return parts
}
