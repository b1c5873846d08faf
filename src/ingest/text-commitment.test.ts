import { expect, test } from 'vitest'
import { hasText, TEXT_FIELDS } from './text-commitment.ts'

test.each(TEXT_FIELDS)('an event with %s has a text to commit to', (field) => {
  expect(hasText({ [field]: 'text' })).toBe(true)
})

test('an event without free text has none', () => {
  expect(hasText({ duration: 5, amount: 10, currency: 'USD' })).toBe(false)
})
