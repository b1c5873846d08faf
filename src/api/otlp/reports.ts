/** What spans report, and about which agents. */

import { invalid } from '../../domain/error.ts'
import { modeOf } from '../../domain/mode.ts'
import { isInWindow } from '../../ingest/occurred-at.ts'
import { inSlices } from '../../lib/slices.ts'
import { agentIdsOf } from '../lookup/agent-ids.ts'
import {
  completed,
  type Draft,
  draftOf,
  type MappingSources,
  type ReadPayload,
} from '../mappings/read.ts'
import { endOf, knownOf, outcomeOf, payloadOf, type SpanReport } from './span-event.ts'
import type { Span } from './spans.ts'

export interface AgentReport extends NamedReport {
  readonly agentId: string
}

interface NamedReport extends SpanReport {
  /** Of the span, in the request. */
  readonly path: string
}

/** The name of the mapping that a platform may store for its spans. */
const MAPPING = 'otlp'

/**
 * What each span reports: by the mapping of the platform, or by the conventions where no rule of it holds.
 * A text says what is wrong with a span. Spans that report nothing are left out. The agents are looked up
 * together, by a statement for each kind of name.
 */
export async function reportsOf(
  sources: MappingSources,
  platformId: string,
  spans: readonly Span[],
): Promise<readonly (AgentReport | string)[]> {
  const mapped = await mappedSpans(sources, platformId, spans)
  const reports: (NamedReport | string)[] = []
  for await (const span of inSlices(spans)) {
    const report = reportOf(sources, span, mapped.get(span))
    if (report !== null) {
      reports.push(report)
    }
  }
  const names = reports.flatMap((one) => (typeof one === 'string' ? [] : one.agent))
  const agents = await agentIdsOf(sources.names, names, modeOf(platformId))
  return reports.map((one) =>
    typeof one === 'string' ? one : withAgent(one, agents.get(one.agent)),
  )
}

/** What the platform's mapping makes of each span. */
async function mappedSpans(
  sources: MappingSources,
  platformId: string,
  spans: readonly Span[],
): Promise<ReadonlyMap<Span, ReadPayload>> {
  const mapping = await sources.store.mappings.find({ platformId, name: MAPPING })
  if (!mapping) {
    return new Map()
  }
  const drafts: Draft[] = []
  for await (const span of inSlices(spans)) {
    drafts.push(draftOf(mapping, payloadOf(span), knownOf(span) ?? {}))
  }
  const reads = await completed(sources, mapping, drafts)
  return new Map(spans.map((span, i) => [span, reads[i] as ReadPayload]))
}

function reportOf(
  { now, settings }: MappingSources,
  span: Span,
  mapped: ReadPayload | undefined,
): NamedReport | string | null {
  const { path } = span
  const end = endOf(span)
  if (mapped && mapped.kind !== 'ignored' && typeof end === 'string') {
    // A rule is for this span; without ids or an end its event would lack what the rule leaves out.
    return end
  }
  if (mapped?.kind === 'refused') {
    return `${path}: ${MAPPING}.${invalid(mapped.issues).message}`
  }
  if (mapped?.kind === 'report' && mapped.agentId !== null) {
    return { path, agent: mapped.agentId, event: mapped.event }
  }
  const outcome = outcomeOf(span, mapped?.kind === 'report' ? mapped.event : null)
  if (outcome === null) {
    return null
  }
  if ('problem' in outcome) {
    return outcome.problem
  }
  const { occurredAt } = outcome.event
  return isInWindow(occurredAt, { now: now(), daysBack: settings.occurredAtDays })
    ? { path, ...outcome }
    : `${path}.endTimeUnixNano: is too long ago, or ahead`
}

function withAgent(report: NamedReport, agentId: string | undefined): AgentReport | string {
  const { path, agent } = report
  return agentId === undefined
    ? `${path}.attributes: no agent has proven the gen_ai.agent.id ${agent.slice(0, 100)}`
    : { ...report, agentId }
}
