import type { CallerOf } from '../../domain/caller.ts'
import { invalid, TrustError } from '../../domain/error.ts'
import { type Mode, modeOf } from '../../domain/mode.ts'
import { STATUS } from '../../http/errors.ts'
import { ok, okContent, type Response } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { isInWindow } from '../../ingest/occurred-at.ts'
import { createFairQueue, type FairQueue } from '../../lib/fair-queue.ts'
import { groupBy } from '../../lib/group-by.ts'
import { inParts } from '../../lib/parts.ts'
import { message } from '../../lib/protobuf.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import { inSlices } from '../../lib/slices.ts'
import type { MappingRow } from '../../store/store.ts'
import { type ReportDeps, type Reporting, submitEvents } from '../events/report.ts'
import { agentIdOf, type LookupCache } from '../lookup/lookup-cache.ts'
import { readPayload } from '../mappings/read.ts'
import { isProtobuf, readSpans, UNZIPPING } from './body.ts'
import { knownOf, outcomeOf, payloadOf, type SpanReport } from './span-event.ts'
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
  const isBinary = isProtobuf(input.request)
  try {
    const spans = await readSpans(input.request, input.caller.platformId, deps.unzipping)
    return respond(await report(deps, input, spans), isBinary)
  } catch (error) {
    // Errors for a client that uses protobuf are protobuf, too (google.rpc.Status).
    if (isBinary && error instanceof TrustError && STATUS[error.code] < 429) {
      const data = message([[2, error.message]])
      return { status: STATUS[error.code], content: { type: PROTOBUF_TYPE, data } }
    }
    throw error
  }
}

interface Found extends SpanReport {
  readonly path: string
  readonly agentId: string
}

/** Records what the spans say, and returns why some are not taken. */
async function report(
  deps: OtlpDeps,
  input: In,
  spans: readonly Span[],
): Promise<readonly string[]> {
  const problems: string[] = []
  const found: Found[] = []
  const { platformId } = input.caller
  const mapping = await deps.store.mappings.find(platformId, MAPPING)
  const mode = modeOf(platformId)
  for await (const span of inSlices(spans)) {
    const one = await reportOf(deps, { mapping, mode }, span)
    if (typeof one === 'string') {
      problems.push(one)
    } else if (one) {
      found.push(one)
    }
  }
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

/** The name of the mapping that a platform may store for its spans. */
const MAPPING = 'otlp'

/**
 * What a span reports, by the mapping of the platform, or by the conventions where no rule of it holds;
 * null for nothing, a text for what is wrong.
 */
async function reportOf(
  deps: OtlpDeps,
  { mapping, mode }: { readonly mapping: MappingRow | null; readonly mode: Mode },
  span: Span,
): Promise<Found | string | null> {
  const known = knownOf(span)
  const read = mapping && known && (await readPayload(deps, mapping, payloadOf(span), known))
  if (read?.kind === 'refused') {
    return `${span.path}: ${MAPPING}.${invalid(read.issues).message}`
  }
  if (read?.kind === 'report' && read.agentId !== null) {
    const { agentId, event } = read
    return { path: span.path, agent: agentId, agentId, event }
  }
  const outcome = outcomeOf(span, read?.kind === 'report' ? read.event : null)
  if (outcome === null) {
    return null
  }
  return 'problem' in outcome ? outcome.problem : agentOf(deps, { path: span.path, mode }, outcome)
}

/** The agent by its id or by a name that it has proven, or what is wrong. */
async function agentOf(
  deps: OtlpDeps,
  { path, mode }: { readonly path: string; readonly mode: Mode },
  outcome: SpanReport,
): Promise<Found | string> {
  const { agent, event } = outcome
  if (!isInWindow(event.occurredAt, { now: deps.now(), daysBack: deps.settings.occurredAtDays })) {
    return `${path}.endTimeUnixNano: is too long ago, or ahead`
  }
  const agentId = await agentIdOf(deps.names, agent, mode)
  return agentId === null
    ? `${path}.attributes: no agent has proven the gen_ai.agent.id ${agent.slice(0, 100)}`
    : { ...outcome, path, agentId }
}

async function submit(
  deps: OtlpDeps,
  agentId: string,
  reporting: Reporting & { readonly caller: CallerOf<'platform'> },
  reports: readonly Found[],
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
