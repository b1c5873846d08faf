import { expect, test } from 'vitest'
import { noRecord } from '../fraud/owner-records.ts'
import { NO_REPORTS } from '../fraud/reporter-stats.ts'
import { createEstablishedPlatforms } from './established-platforms.ts'

/** Of a platform with so many good reports and ten bad ones, each on a day of its own, about each of five owners whose
 *  agents others find good. */
function recordWith(good: number) {
  const owners = Array.from({ length: 5 }, (_, i) => ({
    ...noRecord(`owner-${i}`),
    good,
    bad: 10,
    disputedDays: 5,
  }))
  return { ...NO_REPORTS, badAgentDays: 5 * 10, goodAgentDays: 5 * good, owners }
}

test('a verified platform is not counted while it reports only problems', () => {
  const platforms = createEstablishedPlatforms()
  platforms.verify('monitor')
  platforms.verify('market', true, 'owner')
  expect(platforms.count()).toBe(2)
  platforms.judge('monitor', recordWith(0), null)
  expect(platforms.count()).toBe(1)
  platforms.judge('monitor', recordWith(10), null)
  expect(platforms.count()).toBe(2)
})

test('an owner is counted by its other platform while one of them reports only problems', () => {
  const platforms = createEstablishedPlatforms()
  platforms.verify('monitor', true, 'owner')
  platforms.verify('market', true, 'owner')
  platforms.judge('monitor', recordWith(0), 'owner')
  expect(platforms.count()).toBe(1)
})
