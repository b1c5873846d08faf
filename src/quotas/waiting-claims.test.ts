import { expect, test } from 'vitest'
import { createWaitingClaims, unitsOf } from './waiting-claims.ts'

const unitsBy = (taken: ReturnType<ReturnType<typeof createWaitingClaims>['take']>) =>
  taken.map(({ account, quota, claims }) => [account, quota, claims.map(({ units }) => units)])

test('claims are taken by account, those that wait longest first, and the latest quota holds', () => {
  const waiting = createWaitingClaims()
  void waiting.add('a', 100, 1)
  void waiting.add('b', 100, 2)
  void waiting.add('a', 1_000, 3)
  void waiting.add('c', 100, 4)
  expect(unitsBy(waiting.take(2))).toEqual([
    ['a', 1_000, [1, 3]],
    ['b', 100, [2]],
  ])
  expect([waiting.has('a'), waiting.has('c'), waiting.isEmpty()]).toEqual([false, true, false])
  expect(unitsBy(waiting.take(2))).toEqual([['c', 100, [4]]])
  expect(waiting.isEmpty()).toBe(true)
})

test('claims that wait again come before later ones of their account', async () => {
  const waiting = createWaitingClaims()
  const first = waiting.add('a', 100, 1)
  const [again] = waiting.take(1)
  void waiting.add('a', 1_000, 2)
  waiting.addFirst(again ?? expect.fail('nothing was taken'))
  const [all] = waiting.take(1)
  expect(all).toMatchObject({ quota: 1_000, claims: [{ units: 1 }, { units: 2 }] })
  expect(unitsOf(all?.claims ?? [])).toBe(3)
  const spending = { isTaken: true, remaining: 0, endsAt: 0 }
  all?.claims[0]?.resolve(spending)
  expect(await first).toBe(spending)
})
