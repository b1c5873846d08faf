import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MODEL, MODEL_VERSION } from '../../../src/domain/model.ts'
import { drawn } from '../../../test/support/cases.ts'
import { ATTACKERS, GOALS } from './attacker.ts'
import { createPlayer } from './play.ts'
import { figuresOf, longBlock, readPriceList, shortBlock } from './price-list.ts'
import { search } from './search.ts'

const LIST = readPriceList()

const named = <T extends { readonly name: string }>(all: readonly T[], name: string): T => {
  const one = all.find((each) => each.name === name)
  if (!one) {
    throw new Error(`nothing is called ${name}`)
  }
  return one
}

test.each([
  ['docs/attacks.md', longBlock],
  ['README.md', shortBlock],
])('the price list in %s is the one that the search found', (page, block) => {
  expect(readFileSync(page, 'utf8')).toContain(`<!-- prices -->\n${block(LIST)}\n<!-- /prices -->`)
})

test('the price list was made with the current model', () => {
  const { modelVersion, figures } = LIST
  expect({ modelVersion, figures }).toEqual({
    modelVersion: MODEL_VERSION,
    figures: figuresOf(MODEL),
  })
})

test('every attack of the price list costs the listed price when it is run again', {
  timeout: 120_000,
}, () => {
  const found = LIST.rows.filter(({ plan }) => plan !== null)
  expect(found.length).toBeGreaterThan(8)
  for (const row of found) {
    const attacker = named(ATTACKERS, row.attacker)
    const goal = named(GOALS, row.goal)
    const play = createPlayer({ attacker, goal, seed: LIST.seed, model: MODEL })
    expect(row.plan && play(row.plan), `${row.goal} by ${row.attacker}`).toEqual(row.outcome)
  }
})

test('with one bribed platform no attack reaches Excellent, and Good takes two weeks or more', {
  timeout: 120_000,
}, () => {
  const by = (goal: string) =>
    search({
      attacker: named(ATTACKERS, 'bribed-1'),
      goal: named(GOALS, goal),
      model: MODEL,
      seed: 2,
      budget: drawn(40),
    })
  expect(by('excellent')).toBeNull()
  expect(by('good')?.outcome.days).toBeGreaterThanOrEqual(14)
})
