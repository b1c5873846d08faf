import { expect, test } from 'vitest'
import { isCurrency, toUsd } from './currency.ts'

test('codes of ISO 4217 are currencies, even without a known exchange rate', () => {
  for (const code of ['USD', 'EUR', 'JPY', 'XOF', 'XAU', 'XXX']) {
    expect(isCurrency(code)).toBe(true)
  }
})

test('other text is not a currency, including names that every object has', () => {
  const others = ['usd', 'US', 'USDT', '', 'ABC', 'toString', '__proto__', 'constructor']
  for (const code of others) {
    expect(isCurrency(code)).toBe(false)
  }
})

test('an amount is converted to dollars by the table', () => {
  expect(toUsd(100, 'USD')).toBe(100)
  expect(toUsd(100, 'EUR')).toBeGreaterThan(90)
  expect(toUsd(100, 'JPY')).toBeLessThan(2)
})

test('an amount without a currency or a rate is taken as dollars', () => {
  expect(toUsd(100)).toBe(100)
  expect(toUsd(100, 'XXX')).toBe(100)
  expect(toUsd(100, 'toString')).toBe(100)
})
