import type { z } from './schema.ts'

type RawIssue = z.core.$ZodRawIssue

export const REQUIRED = 'is required'

/** Zod reports each problem with the message of this file, and with the value that was given. */
const WITH_MESSAGES = { reportInput: true, error: messageOf } as const

/** Parses by a schema. Messages cost time, so they are made only after a parse that failed. */
export function parseBy<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  const quick = schema.safeParse(value)
  return quick.success ? quick : schema.safeParse(value, WITH_MESSAGES)
}

/** The message, to be read after the field's name; undefined keeps the schema's own. */
function messageOf(issue: RawIssue): string | undefined {
  if (issue.input === undefined && MISSING.has(issue.code)) {
    return REQUIRED
  }
  switch (issue.code) {
    case 'invalid_type':
      return wrongType([String(issue.expected)], issue.input)
    case 'invalid_value':
      return oneOf(issue.values.map(String))
    case 'too_small':
      return bounded(issue.origin, issue.inclusive ? 'at least' : 'more than', issue.minimum)
    case 'too_big':
      return bounded(issue.origin, issue.inclusive ? 'at most' : 'less than', issue.maximum)
    case 'invalid_format':
      return isUnescapedOffset(issue)
        ? `${FORMATS.datetime}; ${ESCAPED_PLUS}`
        : FORMATS[issue.format]
    default:
      return undefined
  }
}

/** The codes of problems with a value that is missing. */
const MISSING: ReadonlySet<string> = new Set(['invalid_type', 'invalid_value'])

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  guid: 'must be a UUID',
  email: 'must be an e-mail address',
  url: 'must be a URL',
  datetime: 'must be an RFC 3339 time such as 2026-06-15T11:00:00.000Z',
}

const ESCAPED_PLUS = 'in a query, the + of an offset is written %2B'

/** Forms read a `+` as a space. */
function isUnescapedOffset({ format, input }: { format: string; input?: unknown }): boolean {
  return format === 'datetime' && typeof input === 'string' && / \d\d:\d\d$/.test(input)
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}`
}

/** The message for a value that is of none of the types, which have Zod's names. */
export function wrongType(expected: readonly string[], input: unknown): string {
  const wanted = expected.map((type) => TYPES[type] ?? `of the type ${type}`).join(' or ')
  const given = kindOf(input)
  // For 1.5 where an integer is expected, "not a number" would be wrong.
  return given === null || given === wanted || expected.includes('int')
    ? `must be ${wanted}`
    : `must be ${wanted}, not ${given}`
}

function kindOf(input: unknown): string | null {
  if (input === null) {
    return 'null'
  }
  if (Array.isArray(input)) {
    return 'a list'
  }
  if (typeof input === 'number') {
    return Number.isFinite(input) ? 'a number' : null
  }
  if (typeof input === 'boolean') {
    return String(input)
  }
  return TYPES[typeof input] ?? null
}

function bounded(origin: string, how: string, bound: number | bigint): string {
  const isOne = Number(bound) === 1
  if (origin === 'string') {
    return `must have ${how} ${bound} character${isOne ? '' : 's'}`
  }
  if (origin === 'array' || origin === 'set') {
    return `must have ${how} ${bound} item${isOne ? '' : 's'}`
  }
  return `must be ${how} ${bound}`
}
