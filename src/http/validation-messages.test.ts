import { describe, expect, test } from 'vitest'
import { issuesOf } from './issues.ts'
import { z } from './schema.ts'
import { parseBy } from './validation-messages.ts'

/** What is said of a value that the schema does not take. */
function said(schema: z.ZodType, value: unknown): string | undefined {
  const { error } = parseBy(z.strictObject({ field: schema }), { field: value })
  return error && issuesOf('body', error)[0]?.message
}

describe('the message about an invalid field says what it must be', () => {
  const tiers = z.enum(['free', 'growth'])
  const cases: readonly (readonly [schema: z.ZodType, value: unknown, words: string])[] = [
    [z.string(), undefined, 'is required'],
    [tiers, undefined, 'is required'],
    [z.string(), 7, 'must be a string, not a number'],
    [z.string(), null, 'must be a string, not null'],
    [z.number(), '7', 'must be a number, not a string'],
    [z.number(), Number.NaN, 'must be a number'],
    [z.int(), 1.5, 'must be a whole number'],
    [z.boolean(), 'true', 'must be true or false, not a string'],
    [z.strictObject({}), [], 'must be an object, not a list'],
    [z.record(z.string(), z.string()), 'x', 'must be an object, not a string'],
    [z.array(z.string()), {}, 'must be a list, not an object'],
    [tiers, 'gold', 'must be one of free, growth'],
    [z.literal('free'), 'gold', 'must be free'],
    [z.number().min(0), -1, 'must be at least 0'],
    [z.number().max(5), 6, 'must be at most 5'],
    [z.number().positive(), 0, 'must be more than 0'],
    [z.string().min(1), '', 'must have at least 1 character'],
    [z.string().max(3), 'four', 'must have at most 3 characters'],
    [z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 item'],
    [z.guid(), 'x', 'must be a UUID'],
    [z.guid(), undefined, 'is required'],
    [z.iso.datetime(), undefined, 'is required'],
    [z.iso.datetime(), 'x', 'must be an RFC 3339 time such as 2026-06-15T11:00:00.000Z'],
    [z.email(), 'x', 'must be an e-mail address'],
    [z.string().regex(/^a/, 'must begin with a'), 'b', 'must begin with a'],
  ]
  test.each(cases)('%#', (schema, value, words) => {
    expect(said(schema, value)).toBe(words)
  })
})

describe('a value of another type has no problem but its type', () => {
  const short = z.array(z.string()).min(1).max(3)
  const cases: readonly (readonly [what: string, schema: z.ZodType, value: unknown])[] = [
    ['a long string', short, 'read'],
    ['an empty string', short, ''],
    ['an object with a length', short, { length: 4 }],
    ['a list in place of a text', z.string().max(1), ['a', 'b']],
    ['one of several shapes', z.union([z.strictObject({ a: short }), z.null()]), { a: 'read' }],
  ]
  test.each(cases)('%s', (_, schema, value) => {
    const { error } = parseBy(schema, value)
    expect(error && issuesOf('body', error)).toMatchObject([{ code: 'invalid_type' }])
  })

  test('and the other fields keep theirs', () => {
    const { error } = parseBy(z.strictObject({ a: short, b: short }), { a: 'read', b: [] })
    expect(error && issuesOf('body', error)).toMatchObject([
      { path: 'a', code: 'invalid_type' },
      { path: 'b', code: 'too_small' },
    ])
  })
})
