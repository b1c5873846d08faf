import { expect, test } from 'vitest'
import { drawn } from '../../test/support/cases.ts'
import { runSeed } from './run-seed.ts'

/** Other seeds in every run but the one that decides on a change. */
const FIRST = Number(process.env.PROPERTY_SEED ?? Math.floor(Date.now() / 1_000))
/** `.ci/run` has 10,000. */
const SEEDS = drawn(200)

/** Seeds within which a planted bug has to show. */
const FOUND_WITHIN = 300

test('any interleaving of steps and crashes counts events once and keeps limits exact and webhooks in order', async () => {
  for (let seed = FIRST; seed < FIRST + SEEDS; seed++) {
    const problems = await runSeed({ seed })
    expect(problems, `npm run interleave -- --seed ${seed}`).toEqual([])
  }
}, 300_000)

test.each([
  ['responses that are not stored with their effect', { forgetsResponses: true }, /stored/],
  ['rows that are not locked', { skipsLocks: true }, /./],
] as const)('the check finds %s', async (_name, bugs, expected) => {
  const found: string[] = []
  for (let seed = 1; seed <= FOUND_WITHIN && found.length === 0; seed++) {
    found.push(...(await runSeed({ seed, bugs })))
  }
  expect(found.join('\n')).toMatch(expected)
})
