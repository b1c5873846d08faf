/**
 * How foreign JSON becomes a report: data, not code. A mapping reads values at fixed places of a payload,
 * looks them up in tables, and puts them into an event. Its work is bounded by its own size and the
 * payload's: there are no loops, and no patterns that are matched.
 */

import type { Issue } from './error.ts'
import type { EventData, EventType } from './event.ts'
import { TIME_MAX } from './time.ts'

export type Scalar = string | number | boolean

/** A JSON Pointer (RFC 6901). One part of it may be `*`: every member of a list. */
export type Pointer = string

/** Where a value comes from, and what is done to it, in this order. */
export interface ValueSource {
  readonly path?: Pointer | undefined
  readonly constant?: Scalar | undefined
  /** The value to take for the one found. Of several found, the first that is in the table counts. */
  readonly values?: Readonly<Record<string, Scalar>> | undefined
  /** The value where none is found, or none of those found is in the table. */
  readonly otherwise?: Scalar | undefined
  readonly upperCase?: boolean | undefined
  readonly divideBy?: Divisor | undefined
}

/** A number to divide by, which may depend on another value: a currency has its own minor unit. */
export interface Divisor {
  readonly path?: Pointer | undefined
  readonly values?: Readonly<Record<string, number>> | undefined
  readonly otherwise: number
}

export interface Condition {
  readonly path: Pointer
  /** Holds if one of these is found; without them, if anything is. */
  readonly in?: readonly Scalar[] | undefined
}

export interface AgentSource extends Pick<ValueSource, 'path' | 'constant' | 'values'> {
  /** Whether the value is one that an earlier report of this mapping remembered with its agent. */
  readonly remembered?: boolean | undefined
}

export const TIME_FORMATS = ['rfc3339', 'unix_seconds', 'unix_milliseconds', 'utc'] as const

export interface TimeSource {
  readonly path: Pointer
  readonly format: (typeof TIME_FORMATS)[number]
}

export interface MappingRule {
  /** All of them must hold; the first rule whose conditions hold is the one that counts. */
  readonly when: readonly Condition[]
  /** Tried in order: the id of an agent, or a name that it has proven. */
  readonly agent?: readonly AgentSource[] | undefined
  /** Values to remember with the agent, so that a later payload may name the agent by one of them. */
  readonly remember?: readonly Pointer[] | undefined
  readonly type?: ValueSource | undefined
  readonly occurredAt?: TimeSource | undefined
  /** The values that name the payload at its source, joined by a space. */
  readonly externalId?: readonly Pointer[] | undefined
  /** By the field of the event's data. */
  readonly data: Readonly<Record<string, ValueSource>>
}

export interface Mapping {
  readonly rules: readonly MappingRule[]
}

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
  return wanted ? found.some((one) => wanted.includes(one)) : found.length > 0
}

interface Reading {
  readonly issues: Issue[]
  /** The value of a source; undefined where there is none, or where it is refused. */
  value(source: ValueSource, field: string): Scalar | undefined
  texts(path: Pointer): readonly string[]
  at(path: Pointer): readonly Scalar[]
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

/** A value with its table and its arithmetic, or what is wrong with it. */
function valueFrom(
  source: ValueSource,
  at: Reading['at'],
): Scalar | undefined | { readonly problem: string } {
  const { path, constant, values, otherwise, upperCase, divideBy } = source
  const found = path === undefined ? [] : at(path)
  const taken = constant ?? (values ? tabled(values, found) : found[0]) ?? otherwise
  if (taken === undefined) {
    const isOutside = values !== undefined && found.length > 0
    return isOutside ? { problem: `the table has nothing for ${shown(found)}` } : undefined
  }
  const text = upperCase && typeof taken === 'string' ? taken.toUpperCase() : taken
  if (!divideBy) {
    return text
  }
  const divisor = divisorOf(divideBy, at)
  return typeof text === 'number' ? text / divisor : { problem: `${shown([text])} is not a number` }
}

function tabled<T>(table: Readonly<Record<string, T>>, found: readonly Scalar[]): T | undefined {
  const key = found.map(String).find((one) => Object.hasOwn(table, one))
  return key === undefined ? undefined : table[key]
}

function divisorOf({ path, values = {}, otherwise }: Divisor, at: Reading['at']): number {
  return (path === undefined ? undefined : tabled(values, at(path))) ?? otherwise
}

/** The start of what was found, for a message. */
function shown(found: readonly Scalar[]): string {
  return JSON.stringify(found[0]).slice(0, SHOWN_CHARS_MAX)
}

/** Enough to recognise the value, and little of what a message should not repeat. */
const SHOWN_CHARS_MAX = 60

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

/** Members of one list that are looked at: more than any sender has labels. */
const MEMBERS_MAX = 100

/** The texts, numbers and booleans at a place, none for an object or a list. */
function scalarsAt(payload: unknown, path: Pointer): readonly Scalar[] {
  const parts = path.split('/').slice(1)
  const ends = parts.reduce<readonly unknown[]>(
    (values, part) => values.flatMap((value) => membersOf(value, part)),
    [payload],
  )
  return ends.filter(isScalar)
}

function membersOf(value: unknown, part: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) {
    return []
  }
  if (part === '*') {
    return Array.isArray(value) ? value.slice(0, MEMBERS_MAX) : []
  }
  const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
  return Object.hasOwn(value, name) ? [(value as Record<string, unknown>)[name]] : []
}

function isScalar(value: unknown): value is Scalar {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

/** Names of mappings that other endpoints use: what they know of a payload need not be mapped. */
export const STANDARD_MAPPINGS = ['otlp', 'cloudevents'] as const

/** What a mapping of this name lacks or has twice, checked when it is stored. */
export function problemsOf(name: string, { rules }: Mapping): readonly Issue[] {
  const isStandard = (STANDARD_MAPPINGS as readonly string[]).includes(name)
  return rules.flatMap((rule, i) => [
    ...(isStandard ? [] : incomplete(rule, `rules.${i}`)),
    ...ambiguous(rule, `rules.${i}`),
  ])
}

function incomplete(rule: MappingRule, place: string): readonly Issue[] {
  const needed = ['agent', 'type', 'externalId'] as const
  return needed
    .filter((field) => rule[field] === undefined)
    .map((field) => ({ path: `${place}.${field}`, code: 'required', message: 'is required' }))
}

function ambiguous(rule: MappingRule, place: string): readonly Issue[] {
  const sources: readonly (readonly [string, ValueSource | AgentSource | undefined])[] = [
    ['type', rule.type],
    ...Object.entries(rule.data).map(([name, source]) => [`data.${name}`, source] as const),
    ...(rule.agent ?? []).map((source, i) => [`agent.${i}`, source] as const),
  ]
  return sources.flatMap(([field, source]) => {
    const isOne = !source || (source.path === undefined) !== (source.constant === undefined)
    const message = 'must have either a path or a constant'
    return isOne ? [] : [{ path: `${place}.${field}`, code: 'invalid', message }]
  })
}
