import fc from 'fast-check'
import { expect, test } from 'vitest'
import { timeOf } from './times.ts'

test('every time is parsed as by Date.parse', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(2100, 0, 1) })
  const form = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.replace(/\.\d+Z$/, 'Z'),
    (text: string) => text.replace('Z', '+02:30'),
    (text: string) => text.replace('Z', '250Z'),
    (text: string) => text.toLowerCase(),
  )
  const near = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 * 86_400_000 }), form), {
    minLength: 1,
  })
  fc.assert(
    fc.property(moment, near, (from, steps) => {
      for (const [step, write] of steps) {
        const text = write(new Date(from + step).toISOString())
        expect([text, timeOf(text)]).toEqual([text, Date.parse(text)])
      }
    }),
    { numRuns: 500, seed: 20260101 },
  )
})

test.each([
  '2026-01-01T24:00:00Z',
  '2026-02-29T00:00:00Z',
  '2100-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026/01/01T00:00:00Z',
  '20x6-01-01T00:00:00Z',
  'x026-01-01T00:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:0xZ',
  '2026-01-01T00-00-00Z',
  '2026-01-01T00:00:00.0x0Z',
  '2026-01-01T00:00:00 ',
  '2026-01-01',
  '2026-01-01T00:00:00',
  'tomorrow',
  '',
])('%j is not a time', (text) => {
  expect(timeOf(text)).toBeNull()
})
