import {
  type EventInput,
  type Report as ReportResult,
  type Standing,
  StandingError,
} from '@standing/sdk'
import { UserError } from '../../../src/lib/user-error.ts'
import type { SyncedLines } from '../synced-lines.ts'
import { digest, type Participants } from './participants.ts'
import type { Planned } from './plan.ts'
import type { Retry } from './retry.ts'
import { occurredAt } from './times.ts'

/** The outcomes of the events so far. */
export interface Counts {
  /** Including the quarantined. */
  accepted: number
  quarantined: number
  rejected: number
  /** Why events were rejected, and how often for each reason. */
  readonly reasons: Map<string, number>
  /** The first of the rejected events, by their lines in the file. */
  readonly rejectedLines: RejectedLine[]
}

export interface RejectedLine {
  readonly line: number
  readonly reason: string
}

/** Enough to find what is wrong with a file. */
const REJECTED_LINES_MAX = 100

export interface Reporting {
  readonly run: string
  readonly participants: Participants
  /** The platforms of the file, by their order of appearance. */
  readonly platforms: ReadonlyMap<string, number>
  readonly retry: Retry
  /** The acknowledged events, on disk before anything more is asked of the service. */
  readonly journal: SyncedLines | undefined
  readonly counts: Counts
}

/** Reports events of one agent, in order: one request for each run of events of the same platform. */
export async function reportEvents(
  reporting: Reporting,
  events: readonly Planned[],
): Promise<void> {
  const [first] = events
  if (first === undefined) {
    return
  }
  const agentId = await reporting.participants.agentIdOf(first.plan.name)
  for (const part of byPlatform(events, platformChooser(reporting))) {
    const inputs = part.events.map((event) => inputOf(reporting, event))
    const result = await reportAll(reporting, part.platform, agentId, inputs)
    await count(reporting, part.events, inputs, result)
  }
}

async function reportAll(
  { run, retry }: Reporting,
  platform: Standing,
  agentId: string,
  inputs: readonly EventInput[],
): Promise<ReportResult> {
  try {
    return await retry(() => platform.events.report(agentId, inputs))
  } catch (error) {
    if (error instanceof StandingError && isCap(error.code, error.details)) {
      throw capReached(run)
    }
    throw error
  }
}

async function count(
  { run, counts, journal }: Reporting,
  events: readonly Planned[],
  inputs: readonly EventInput[],
  report: ReportResult,
): Promise<void> {
  counts.accepted += report.accepted
  counts.rejected += report.rejected
  counts.quarantined += report.data.filter((record) => record?.isQuarantined).length
  const { errors = [] } = report
  const capped = errors.some((error) => isCap(error.code, error.details))
  for (const { code, message, index } of errors) {
    // The place of an event in its request says nothing about the file.
    const reason = `${code}: ${message.replace(/^events\.\d+\./, '')}`
    counts.reasons.set(reason, (counts.reasons.get(reason) ?? 0) + 1)
    const line = events[index]?.line.number
    if (line !== undefined && counts.rejectedLines.length < REJECTED_LINES_MAX) {
      counts.rejectedLines.push({ line, reason })
    }
  }
  await journal?.append(
    inputs.flatMap(({ externalId }, n) => {
      const record = report.data[n]
      return record && externalId ? [{ externalId, id: record.id }] : []
    }),
  )
  if (capped) {
    throw capReached(run)
  }
}

function isCap(code: string, details: Readonly<Record<string, unknown>> = {}): boolean {
  return code === 'RATE_LIMIT_EXCEEDED' && String(details.limit).startsWith('events_per_')
}

function capReached(run: string): UserError {
  return new UserError(`The hourly limit of events is reached (by default 100 per agent, 1,000 per platform). Start the
service with higher STANDING_EVENTS_PER_AGENT_HOUR and STANDING_EVENTS_PER_PLATFORM_HOUR, or with
STANDING_RATE_LIMITS=off, and repeat with --run ${run}: no event is counted twice.`)
}

function inputOf({ run, participants }: Reporting, { plan, line, index }: Planned): EventInput {
  const event = {
    type: line.type,
    data: line.data,
    occurredAt: new Date(occurredAt(plan, line.t, participants.anchor)).toISOString(),
    externalId: externalIdOf(run, plan.name, index),
  }
  // The service checks type and data: a replay shows how it treats a recorded stream.
  return event as EventInput
}

/** The service's limit. */
const EXTERNAL_ID_MAX = 100

/** Equal each time the run is repeated. A long name of an agent is replaced by its digest. */
export function externalIdOf(run: string, agent: string, index: number): string {
  const id = `${run}:${agent}:${index}`
  return id.length <= EXTERNAL_ID_MAX ? id : `${run}:${digest(agent).slice(0, 32)}:${index}`
}

/** Distributes the platforms of the file over those of the run. */
function platformChooser({ participants, platforms }: Reporting): (event: Planned) => Standing {
  return ({ line }) => {
    const place = platforms.get(line.platform) ?? Number.NaN
    const chosen = participants.platforms[place % participants.platforms.length]
    if (!chosen) {
      throw new UserError('The file changed while it was being replayed.')
    }
    return chosen
  }
}

/** Groups neighbouring events of the same platform. */
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
