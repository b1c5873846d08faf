/**
 * How foreign JSON becomes a report: data, not code. A mapping reads values at fixed places of a payload,
 * looks them up in tables, and puts them into an event. Its work is bounded by its own size and the
 * payload's: there are no loops, and no patterns that are matched.
 */
import type { Issue } from './error.ts'

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
