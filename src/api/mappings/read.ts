import type { Context } from '../../context.ts'
import {
  type AgentName,
  applyMapping,
  type KnownFields,
  type MappedEvent,
} from '../../domain/apply-mapping.ts'
import type { Issue } from '../../domain/error.ts'
import type { Mapping } from '../../domain/mapping.ts'
import { modeOf } from '../../domain/mode.ts'
import { issuesOf } from '../../http/issues.ts'
import { parseBy } from '../../http/validation-messages.ts'
import type { ReportedEvent } from '../../ingest/report.ts'
import { shortened } from '../events/external-id.ts'
import { EventBody } from '../events/input-schema.ts'
import { timeIssue } from '../events/report.ts'
import { agentIdsOf } from '../lookup/agent-ids.ts'
import type { LookupCache } from '../lookup/lookup-cache.ts'

export interface MappingSources extends Context {
  readonly names: LookupCache
  readonly settings: { readonly occurredAtDays: number }
}

/** The mapping of a platform, and its name. */
export interface NamedMapping {
  readonly platformId: string
  readonly name: string
  readonly mapping: Mapping
}

export interface MappedReport {
  readonly kind: 'report'
  readonly rule: number
  /** Null where the agent is known by other means. */
  readonly agentId: string | null
  readonly remember: readonly string[]
  readonly event: ReportedEvent
  /** The event as a client of the API would write it. */
  readonly shown: object
}

export type ReadPayload =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly rule: number; readonly issues: readonly Issue[] }
  | MappedReport

export type Draft =
  | Exclude<ReadPayload, MappedReport>
  | (Omit<MappedReport, 'agentId'> & { readonly agents: readonly AgentName[] })

/** The report without its agent, whenever it happened. */
export function draftOf(
  { name, mapping }: NamedMapping,
  payload: unknown,
  known: KnownFields = {},
): Draft {
  const mapped = applyMapping(mapping, payload, known)
  if (mapped.kind !== 'report') {
    return mapped
  }
  const { rule } = mapped
  const shown = bodyOf(name, mapped.event, known)
  const parsed = parseBy(EventBody, shown)
  if (!parsed.success) {
    return { kind: 'refused', rule, issues: issuesOf(`rules.${rule}`, parsed.error) }
  }
  return { ...mapped, event: parsed.data, shown }
}

/** The name of the mapping stands before those of its source, so that two sources do not meet. */
function bodyOf(
  name: string,
  { type, data, occurredAt, externalId }: MappedEvent,
  known: KnownFields,
) {
  const isKnown = externalId === known.externalId
  return {
    type,
    data,
    ...(occurredAt === undefined ? {} : { occurredAt }),
    externalId: isKnown ? externalId : shortened(`${name} ${externalId}`),
  }
}

/** What drafts become, and the agents that they are about. */
export async function completed(
  sources: MappingSources,
  named: Omit<NamedMapping, 'mapping'>,
  drafts: readonly Draft[],
): Promise<readonly ReadPayload[]> {
  const findAgent = await lookUpAgents(sources, named, drafts)
  return drafts.map((draft) => withAgent(sources, draft, findAgent))
}

/** The first of these agents that exists; null for none. */
type FindAgent = (agents: readonly AgentName[]) => string | null

/** Looks up the agents of all drafts: names in one statement, and remembered values in another. */
async function lookUpAgents(
  { store, names }: MappingSources,
  { platformId, name }: Omit<NamedMapping, 'mapping'>,
  drafts: readonly Draft[],
): Promise<FindAgent> {
  const agents = drafts.flatMap((draft) => (draft.kind === 'report' ? draft.agents : []))
  const proven = agents.flatMap((agent) => (agent.isRemembered ? [] : agent.name))
  const values = agents.flatMap((agent) => (agent.isRemembered ? agent.name : []))
  const [byName, byValue] = await Promise.all([
    agentIdsOf(names, proven, modeOf(platformId)),
    values.length > 0 ? store.mappings.recall({ platformId, name, values }) : null,
  ])
  const idOf = (agent: AgentName) => (agent.isRemembered ? byValue : byName)?.get(agent.name)
  return (some) => some.map(idOf).find((id) => id !== undefined) ?? null
}

function withAgent(
  sources: Pick<MappingSources, 'now' | 'settings'>,
  draft: Draft,
  findAgent: FindAgent,
): ReadPayload {
  if (draft.kind !== 'report') {
    return draft
  }
  const { rule, agents, remember, event, shown } = draft
  const agentId = findAgent(agents)
  // Without a name the agent is known by other means, or the payload was refused before.
  const isUnknown = agentId === null && agents.length > 0
  const issues = [
    timeIssue(sources, event, `rules.${rule}.occurredAt`),
    isUnknown ? unknownAgent(rule, agents) : null,
  ].filter((issue) => issue !== null)
  return issues.length > 0
    ? { kind: 'refused', rule, issues }
    : { kind: 'report', rule, agentId, remember, event, shown }
}

function unknownAgent(rule: number, agents: readonly AgentName[]): Issue {
  const shown = agents.map(({ name, isRemembered }) =>
    isRemembered
      ? `no report remembered ${name.slice(0, 100)}`
      : `no agent has proven the name ${name.slice(0, 100)}`,
  )
  return { path: `rules.${rule}.agent`, code: 'unknown_agent', message: shown.join(', and ') }
}
