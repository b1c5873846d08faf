import { SCORE_MAX } from '../domain/model.ts'
import { z } from '../http/schema.ts'
import { hasNothingToSee, isPlain } from '../lib/plain-text.ts'

/** Callers of an operation that needs no credential; one that is sent is still checked. */
export const ANYONE = ['anonymous', 'owner', 'agent', 'platform', 'operator'] as const

/** The id that examples use. */
export const EXAMPLE_ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

/** Characters of a UUID. In the document also for validators that do not check formats. */
const ID_LENGTH = 36

/** Ids are UUIDs of any version, so that imported data can keep its own. */
export const Id = z
  .guid()
  .transform((id) => id.toLowerCase())
  .openapi({ format: 'uuid', minLength: ID_LENGTH, maxLength: ID_LENGTH, example: EXAMPLE_ID })

export const IdParams = z.object({ id: Id.openapi({ description: 'The id, a UUID.' }) })

export const Time = z.iso
  .datetime({ precision: 3 })
  .openapi({ example: '2026-06-15T11:00:00.000Z', format: 'date-time' })

/** A time given by a caller: RFC 3339 with any offset, in large or small letters, to the millisecond. */
export const TimeInput = z
  .string()
  .toUpperCase()
  .check(z.iso.datetime({ offset: true }))
  .transform((text) => Date.parse(text))
  .openapi({ format: 'date-time', example: '2026-06-15T11:00:00.000Z' })

/** An integer in a query, where every value is text. */
export function queryInteger(bounds: {
  readonly min: number
  readonly max: number
  readonly default: number
  readonly description: string
}) {
  const { min, max, description } = bounds
  const message = `must be an integer from ${min} to ${max}`
  return z
    .string()
    .regex(new RegExp(`^\\d{1,${String(max).length}}$`), message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .optional()
    .openapi({ type: 'integer', minimum: min, maximum: max, default: bounds.default, description })
}

/** Any JSON object whose text has at most so many bytes. */
export function jsonObject(bytesMax: number) {
  return z
    .record(z.string(), z.unknown())
    .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= bytesMax, {
      message: `must be at most ${bytesMax} bytes of JSON`,
    })
}

export const Points = z.int().min(0).max(SCORE_MAX)

/** Far above any payment in any currency: a larger amount is a mistake or a probe (A20). */
export const AMOUNT_MAX = 1e15

/** Text of one line that other people see: it shows them nothing else than what it is. */
export function shown(text: z.ZodString) {
  return text
    .refine(isPlain, 'must not have line ends, control characters or characters that reorder text')
    .refine((one) => !hasNothingToSee(one), 'must have a character that can be seen')
}

/** Longer than the name of a person or a product: it still fits in a line. */
const NAME_CHARACTERS_MAX = 100

/** The name that a person gives to something. */
export const GivenName = shown(
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(NAME_CHARACTERS_MAX, `must have at most ${NAME_CHARACTERS_MAX} characters`),
)

/** The name of a person, who may give none. */
export const PersonName = shown(z.string().trim().max(NAME_CHARACTERS_MAX))

/** A new API key in the response that creates it. */
export const ApiKey = z.string().openapi({
  description: 'Returned only here: the service stores a hash of it.',
})

/** A reporter's name for a kind of work. */
export const TaskClass = z.string().min(1).max(64)

export const AgentStatusName = z.enum(['active', 'suspended', 'deactivated'])

export const ModeName = z.enum(['live', 'test']).openapi({
  description: 'Whether it is live or test data. The two never meet.',
  example: 'live',
})

/** Why an operator or an owner did something; kept in the audit log. */
export const Reason = z.string().trim().min(1).max(500).openapi({ example: 'Verified by phone.' })

let lastAt = Number.NaN
let lastTime = ''

/** The last text is kept: all events of a batch have one time. */
export function time(at: number): string {
  if (at !== lastAt) {
    lastTime = new Date(at).toISOString()
    lastAt = at
  }
  return lastTime
}

export function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at)
}
