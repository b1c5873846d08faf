import { array, assert, integer, property, record } from 'fast-check'
import { describe, expect, it as test } from 'vitest'
import { auc, type Forecasted, ranks, spearman } from './statistics.ts'

const agent = (score: number, good: number, total = 1): Forecasted => ({ score, good, total })

describe('ranks', () => {
  test('are shared by equal values', () => {
    expect(ranks([10, 30, 20, 20, 5])).toEqual([2, 5, 3.5, 3.5, 1])
    expect(ranks([])).toEqual([])
  })
})

describe('Spearman’s correlation', () => {
  test('is 1 for the same order, -1 for its reverse', () => {
    expect(spearman([agent(1, 1, 9), agent(2, 5, 9), agent(9, 6, 9)])).toBeCloseTo(1, 12)
    expect(spearman([agent(9, 1, 9), agent(2, 5, 9), agent(1, 6, 9)])).toBeCloseTo(-1, 12)
  })

  test('with ties is Pearson’s of the mean ranks', () => {
    // By hand: ranks 1, 2.5, 2.5, 4 and 1, 2, 3.5, 3.5: 3.75 / √(4.5 · 4.5).
    const agents = [agent(1, 0, 10), agent(2, 1, 10), agent(2, 3, 10), agent(5, 3, 10)]
    expect(spearman(agents)).toBeCloseTo(5 / 6, 12)
  })

  test('is undefined where one side does not vary', () => {
    expect(spearman([agent(1, 1), agent(1, 0)])).toBeUndefined()
    expect(spearman([agent(1, 1), agent(2, 1)])).toBeUndefined()
    expect(spearman([])).toBeUndefined()
  })
})

describe('AUC', () => {
  test('is 1 where every good one stands above every bad one, a half where scores are equal', () => {
    expect(auc([agent(1, 0), agent(2, 0), agent(3, 1)])).toBe(1)
    expect(auc([agent(3, 0), agent(1, 1)])).toBe(0)
    expect(auc([agent(5, 1), agent(5, 0), agent(5, 1)])).toBe(0.5)
  })

  test('is undefined where all went one way', () => {
    expect(auc([agent(1, 1), agent(2, 1)])).toBeUndefined()
  })

  test('is the share of pairs of a good and a bad event that are in order', () => {
    const agents = array(
      record({ score: integer({ min: 0, max: 5 }), good: integer({ min: 0, max: 4 }) }),
    ).map((list) => list.map(({ score, good }) => agent(score, good, 4)))
    assert(
      property(agents, (list) => {
        expect(auc(list) ?? -1).toBeCloseTo(pairwise(list) ?? -1, 12)
      }),
    )
  })
})

function pairwise(agents: readonly Forecasted[]): number | undefined {
  let [won, pairs] = [0, 0]
  for (const a of agents) {
    for (const b of agents) {
      const weight = a.good * (b.total - b.good)
      pairs += weight
      won += weight * (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0)
    }
  }
  return pairs > 0 ? won / pairs : undefined
}
