import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventBody } from '../../../src/api/events/input-schema.ts'
import { REPORTED_TYPES } from '../../../src/domain/event.ts'
import { readData } from './event-data.ts'

/** Values at and beyond the bounds of every field, and of other kinds. */
const value = fc.oneof(
  fc.constantFrom(0, -0, -1, 1, 2, 3, 4, 99.95, 100, 100.1, 36_500, 36_501, 1e15, 1.1e15, 1e308),
  fc.constantFrom('', 'USD', 'usd', 'XXX', 'low', 'severe', 'x'.repeat(64), 'x'.repeat(65)),
  fc.constantFrom('x'.repeat(100), 'x'.repeat(101), 'x'.repeat(200), 'x'.repeat(201), '\u{1f600}'),
  fc.constantFrom(true, false, null, [], {}),
)
const name = fc.constantFrom(
  ...['duration', 'success', 'errorCode', 'difficulty', 'taskClass', 'counterparty', 'amount'],
  ...['currency', 'daysLate', 'uptimePercentage', 'responseTimeMs', 'errorType', 'severity'],
  ...['credentialId', 'credentialType', 'constructor', 'other'],
)

test('data that the API’s schema would read is read the same way, and other data is left to the schema', () => {
  let read = 0
  fc.assert(
    fc.property(
      fc.constantFrom(...REPORTED_TYPES),
      fc.dictionary(name, value, { maxKeys: 3 }),
      (type, fields) => {
        const given = JSON.parse(JSON.stringify(fields)) as unknown
        const quick = readData(type, given)
        const bySchema = EventBody.safeParse({ type, data: given })
        expect(quick !== null).toBe(bySchema.success)
        if (quick && bySchema.success) {
          read += 1
          expect(JSON.parse(JSON.stringify(quick))).toEqual(
            JSON.parse(JSON.stringify(bySchema.data.data)),
          )
        }
      },
    ),
    { numRuns: 3_000 },
  )
  expect(read).toBeGreaterThan(300)
})

test.each([[[]], ['text'], [5], [null]])('%j is not valid data', (given) => {
  expect(readData('task.completed', given)).toBeNull()
})
