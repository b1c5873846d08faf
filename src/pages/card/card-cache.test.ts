import type { ScoreValues } from '@standing/design/words.ts'
import { expect, test } from 'vitest'
import { createCardCache } from './card-cache.ts'

const score: ScoreValues = {
  score: 700,
  classification: 'good',
  confidence: 'medium',
  eventCount: 80,
  interval: { low: 600, high: 800 },
}

test('a card is drawn once for each set of figures that it shows', async () => {
  const cardOf = createCardCache()
  const card = await cardOf(score)
  expect(await cardOf({ ...score, eventCount: 81 })).toBe(card)
  const others: readonly ScoreValues[] = [
    { ...score, score: 701 },
    { ...score, interval: { low: 601, high: 800 } },
    { ...score, interval: { low: 600, high: 801 } },
    { ...score, confidence: 'low' },
  ]
  for (const other of others) {
    expect(Buffer.compare(await cardOf(other), card)).not.toBe(0)
  }
})
