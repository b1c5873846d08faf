import type { CallerOf } from '../../domain/caller.ts'
import { ok, okContent, type Response } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { createFairQueue, type FairQueue } from '../../lib/fair-queue/fair-queue.ts'
import { groupBy } from '../../lib/group-by.ts'
import { inParts } from '../../lib/parts.ts'
import { message } from '../../lib/protobuf.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import { type ReportDeps, type Reporting, submitEvents } from '../events/report.ts'
import type { LookupCache } from '../lookup/lookup-cache.ts'
import { isProtobuf, readSpans, UNZIPPING } from './body.ts'
import { type AgentReport, reportsOf } from './reports.ts'
import type { Span } from './spans.ts'
import { OTLP_SPECS, PROTOBUF_TYPE } from './spec.ts'

export interface OtlpDeps extends ReportDeps {
  readonly names: LookupCache
}

export function otlpRoutes(deps: OtlpDeps): readonly Route[] {
  return bind(OTLP_SPECS, { ...deps, unzipping: createFairQueue(UNZIPPING) }, { exportTraces })
}

type In = InputOf<typeof OTLP_SPECS.exportTraces>

interface ExportDeps extends OtlpDeps {
  readonly unzipping: FairQueue
}

async function exportTraces(deps: ExportDeps, input: In): Promise<Response> {
  const { request, caller } = input
  const spans = await readSpans(request, caller.platformId, deps.unzipping)
  return respond(await report(deps, input, spans), isProtobuf(request))
}

/** Records what the spans say, and returns why some are not taken. */
async function report(
  deps: OtlpDeps,
  input: In,
  spans: readonly Span[],
): Promise<readonly string[]> {
  const reports = await reportsOf(deps, input.caller.platformId, spans)
  const problems = reports.filter((one) => typeof one === 'string')
  const found = reports.filter((one) => typeof one !== 'string')
  const reporting = { ...input, bodyBytes: await input.request.readBody(), idempotency: null }
  const byAgent = [...groupBy(found, ({ agentId }) => agentId)]
  const { run } = createSemaphore(SUBMITTING)
  const refused = await Promise.all(
    byAgent.flatMap(([agentId, reports]) =>
      inParts(reports, EVENTS_PER_PART_MAX).map((part) =>
        run(() => submit(deps, agentId, reporting, part)),
      ),
    ),
  )
  return [...problems, ...refused.flat()]
}

/** Events of one report: as many as a batch of the API has, so that reports of others come in between. */
const EVENTS_PER_PART_MAX = 100

/** Parts of one request that are committed together, with those of other requests. */
const SUBMITTING = { runningMax: 4 }

async function submit(
  deps: OtlpDeps,
  agentId: string,
  reporting: Reporting & { readonly caller: CallerOf<'platform'> },
  reports: readonly AgentReport[],
): Promise<readonly string[]> {
  const events = reports.map(({ event }) => event)
  const outcome = await submitEvents(deps, agentId, reporting, events)
  if ('refusal' in outcome) {
    return reports.map(({ path }) => `${path}: ${outcome.refusal.message}`)
  }
  return outcome.events.flatMap((one, i) =>
    'refusal' in one ? [`${reports[i]?.path}: ${one.refusal.message}`] : [],
  )
}

/** A message for people; the first problems are usually the same as the others. */
const PROBLEMS_SHOWN_MAX = 10

function respond(problems: readonly string[], isBinary: boolean): Response {
  const rejected = problems.length
  const errorMessage = problems.slice(0, PROBLEMS_SHOWN_MAX).join('; ')
  if (!isBinary) {
    return ok(
      rejected === 0 ? {} : { partialSuccess: { rejectedSpans: `${rejected}`, errorMessage } },
    )
  }
  const partial = message([
    [1, rejected],
    [2, errorMessage],
  ])
  return okContent(rejected === 0 ? new Uint8Array() : message([[1, partial]]), PROTOBUF_TYPE)
}
