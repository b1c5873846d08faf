import { expect, test } from 'vitest'
import { RULES } from '../fraud/rules.ts'
import { createVault } from '../lib/vault.ts'
import { createRuleBook } from './rule-book.ts'

const book = (byte: number) =>
  createRuleBook({ vault: createVault(new Uint8Array(32).fill(byte)), now: Date.now })

const thresholds = (byte: number) =>
  RULES.filter(({ threshold }) => threshold !== null).map(
    (rule) => book(byte).settingOf(rule, undefined).threshold / (rule.threshold?.value ?? 1),
  )

test('A19: every installation has its own thresholds, near the rules’ defaults and the same on all nodes', () => {
  const [ours, again, theirs] = [thresholds(1), thresholds(1), thresholds(2)]
  expect(ours).toEqual(again)
  expect(ours).not.toEqual(theirs)
  for (const share of [...ours, ...theirs]) {
    expect(share).toBeGreaterThanOrEqual(0.9)
    expect(share).toBeLessThanOrEqual(1.1)
  }
})

test('a threshold that the operator sets is used exactly', () => {
  const rule = RULES.find(({ id }) => id === 'near_duplicate')
  if (!rule) {
    throw new Error('no such rule')
  }
  const row = { rule: 'near_duplicate', mode: 'shadow', threshold: 25, updatedAt: 0 } as const
  expect(book(1).settingOf(rule, row)).toEqual({ mode: 'shadow', threshold: 25 })
})
