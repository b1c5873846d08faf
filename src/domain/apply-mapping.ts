import type { Issue } from './error.ts'
import type { EventData, EventType } from './event.ts'
import type {
  Condition,
  Mapping,
  MappingRule,
  Pointer,
  Scalar,
  TimeSource,
  ValueSource,
} from './mapping.ts'
import { scalarsAt, shown, type ValuesAt, valueFrom } from './payload-values.ts'
import { TIME_MAX } from './time.ts'

/** A name that a payload gives for an agent. */
export interface AgentName {
  readonly name: string
  readonly isRemembered: boolean
}

/** The parts of an event, not yet checked as one. */
export interface MappedEvent {
  readonly type?: Scalar | undefined
  readonly data: Readonly<Record<string, Scalar>>
  /** RFC 3339. */
  readonly occurredAt?: string | undefined
  readonly externalId?: string | undefined
}

export type Mapped =
  | { readonly kind: 'ignored' }
  | { readonly kind: 'refused'; readonly rule: number; readonly issues: readonly Issue[] }
  | {
      readonly kind: 'report'
      readonly rule: number
      readonly agents: readonly AgentName[]
      readonly remember: readonly string[]
      readonly event: MappedEvent
    }

/** Values that a standard gives a payload; a mapping may leave them out, or replace them. */
export interface KnownFields {
  readonly type?: EventType | undefined
  readonly data?: EventData | undefined
  readonly occurredAt?: string | undefined
  readonly externalId?: string | undefined
  /** Whether the agent is known by other means. */
  readonly hasAgent?: boolean | undefined
}

/** What a payload becomes. The paths of issues are those of the mapping. */
export function applyMapping(
  { rules }: Mapping,
  payload: unknown,
  known: KnownFields = {},
): Mapped {
  const index = rules.findIndex(({ when }) => when.every((one) => holds(one, payload)))
  const rule = rules[index]
  if (!rule) {
    return { kind: 'ignored' }
  }
  const reading = createReading(payload, `rules.${index}`)
  const event = eventOf(rule, reading, known)
  const agents = agentsOf(rule, reading, known)
  const remember = (rule.remember ?? []).flatMap((path) => reading.texts(path))
  const { issues } = reading
  return issues.length > 0
    ? { kind: 'refused', rule: index, issues }
    : { kind: 'report', rule: index, agents, remember, event }
}

function holds({ path, in: wanted }: Condition, payload: unknown): boolean {
  const found = scalarsAt(payload, path)
  if (wanted === undefined) {
    return found.length > 0
  }
  // A list of a hundred members against two hundred values, in each condition of each rule.
  const values = new Set(found)
  return wanted.some((one) => values.has(one))
}

interface Reading {
  readonly issues: Issue[]
  /** The value of a source; undefined where there is none, or where it is refused. */
  value(source: ValueSource, field: string): Scalar | undefined
  texts(path: Pointer): readonly string[]
  readonly at: ValuesAt
  refuse(field: string, message: string): undefined
}

function createReading(payload: unknown, place: string): Reading {
  const issues: Issue[] = []
  const at = (path: Pointer) => scalarsAt(payload, path)
  const refuse = (field: string, message: string) => {
    issues.push({ path: `${place}.${field}`, code: 'unmapped', message })
    return undefined
  }
  return {
    issues,
    at,
    texts: (path) => at(path).map(String),
    refuse,
    value(source, field) {
      const found = valueFrom(source, at)
      if (typeof found === 'object') {
        return refuse(field, found.problem)
      }
      return found
    },
  }
}

function eventOf(rule: MappingRule, reading: Reading, known: KnownFields): MappedEvent {
  const fields = Object.entries(rule.data).flatMap(([name, source]) => {
    const value = reading.value(source, `data.${name}`)
    return value === undefined ? [] : [[name, value] as const]
  })
  const data = { ...withoutNothing(known.data ?? {}), ...Object.fromEntries(fields) }
  const type = rule.type ? reading.value(rule.type, 'type') : known.type
  if (type === undefined && !reading.issues.some(({ path }) => path.endsWith('.type'))) {
    reading.refuse('type', missing(rule.type?.path))
  }
  const occurredAt = rule.occurredAt ? timeOf(rule.occurredAt, reading) : known.occurredAt
  const externalId = externalIdOf(rule, reading, known)
  return { type, data, occurredAt, externalId }
}

function withoutNothing(data: EventData): Readonly<Record<string, Scalar>> {
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function externalIdOf({ externalId }: MappingRule, reading: Reading, known: KnownFields) {
  if (!externalId) {
    return known.externalId ?? reading.refuse('externalId', missing(undefined))
  }
  const parts = externalId.map((path, i) => {
    const [text] = reading.texts(path)
    return text ?? reading.refuse(`externalId.${i}`, missing(path))
  })
  return parts.join(' ')
}

function agentsOf(
  { agent }: MappingRule,
  reading: Reading,
  known: KnownFields,
): readonly AgentName[] {
  const names = (agent ?? []).flatMap((source) => {
    const value = valueFrom(source, reading.at)
    const isName = value !== undefined && typeof value !== 'object' && value !== ''
    return isName ? [{ name: String(value), isRemembered: source.remembered === true }] : []
  })
  if (names.length === 0 && (agent || !known.hasAgent)) {
    const paths = (agent ?? []).flatMap(({ path }) => path ?? [])
    reading.refuse('agent', missing(paths.join(' or ') || undefined))
  }
  return names
}

function missing(path: string | undefined): string {
  return path === undefined ? 'is needed here' : `the payload has no such value at ${path}`
}

const UNIT_MS: Readonly<Record<TimeSource['format'], number | null>> = {
  unix_seconds: 1_000,
  unix_milliseconds: 1,
  rfc3339: null,
  utc: null,
}

function timeOf({ path, format }: TimeSource, reading: Reading): string | undefined {
  const [found] = reading.at(path)
  if (found === undefined) {
    return reading.refuse('occurredAt', missing(path))
  }
  const unit = UNIT_MS[format]
  if (unit !== null) {
    const at = typeof found === 'number' ? Math.floor(found * unit) : Number.NaN
    return Math.abs(at) <= TIME_MAX
      ? new Date(at).toISOString()
      : reading.refuse('occurredAt', `${shown([found])} is not a time in ${format}`)
  }
  // "2026-06-15 11:00:00.123", in UTC: a space for the T, and no zone.
  return format === 'utc' ? `${String(found).replace(' ', 'T')}Z` : String(found)
}
