import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minuteWindow, monthWindow } from '../domain/limits.ts'
import type { QuotaStore } from '../store/store.ts'
import { createLeases } from './leases.ts'

/** The counting of the database, for one kind, with answers that take a few turns to arrive. */
function createCounting(delay: () => number = () => 0) {
  const rows = new Map<string, { startedAt: number; used: number }>()
  const name = (account: Uint8Array) => Buffer.from(account).toString()
  let statements = 0
  const store: QuotaStore = {
    async reserve(_kind, window, asks) {
      statements++
      await turns(delay())
      const grants = asks.map(({ account, quota, need, want }) => {
        const row = rows.get(name(account))
        const isOver = !row || row.startedAt <= window.endedIfSince
        const { startedAt, used } = isOver ? { startedAt: window.startsAt, used: 0 } : row
        const granted = quota - used >= need ? Math.min(want, quota - used) : 0
        rows.set(name(account), { startedAt, used: used + granted })
        return { account, startedAt, used: used + granted, granted }
      })
      await turns(delay())
      return grants
    },
    async release(_kind, units) {
      for (const { account, startedAt, units: count } of units) {
        const row = rows.get(name(account))
        if (row?.startedAt === startedAt) {
          row.used -= count
        }
      }
    },
  }
  return { store, usedOf: (account: string) => rows.get(account)?.used, count: () => statements }
}

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await new Promise((next) => setImmediate(next))
  }
}

function node(store: QuotaStore, now: () => number = () => 0) {
  const hash = (account: string) => Buffer.from(account)
  return createLeases({ kind: 'requests', windowAt: minuteWindow, store, hash, now })
}

test('several nodes together grant exactly the quota', async () => {
  const claims = fc.array(
    fc.record({ node: fc.nat(2), units: fc.integer({ min: 1, max: 5 }), after: fc.nat(3) }),
    { minLength: 30, maxLength: 60 },
  )
  await fc.assert(
    fc.asyncProperty(claims, fc.integer({ min: 10, max: 60 }), async (all, quota) => {
      let turn = 0
      const { store, usedOf } = createCounting(() => turn++ % 3)
      const nodes = [node(store), node(store), node(store)]
      const outcomes = await Promise.all(
        all.map(async ({ node: at, units, after }) => {
          await turns(after)
          const spending = await nodes[at]?.spend('a', quota, units)
          return { units, isTaken: spending?.isTaken ?? false }
        }),
      )
      const taken = outcomes.filter(({ isTaken }) => isTaken)
      const total = taken.reduce((sum, { units }) => sum + units, 0)
      expect(total).toBeLessThanOrEqual(quota)
      expect(usedOf('a')).toBe(total)
      // What was refused would not have fitted.
      const refused = outcomes.filter(({ isTaken }) => !isTaken).map(({ units }) => units)
      if (refused.length > 0) {
        expect(total + Math.max(...refused)).toBeGreaterThan(quota)
      }
    }),
    { numRuns: 60 },
  )
})

test('simultaneous claims share one statement', async () => {
  const { store, count } = createCounting()
  const leases = node(store)
  const spendings = await Promise.all(
    Array.from({ length: 150 }, (_, i) => leases.spend(i % 2 ? 'a' : 'b', 50, 1)),
  )
  expect(spendings.filter(({ isTaken }) => isTaken)).toHaveLength(100)
  // One that is refused whole, because 75 do not fit into 50, and one for those that do.
  expect(count()).toBe(2)
})

test('a claim for many units is granted completely or not at all, and a smaller one still fits', async () => {
  const { store } = createCounting()
  const leases = node(store)
  expect(await leases.spend('a', 100, 70)).toMatchObject({ isTaken: true, remaining: 30 })
  expect(await leases.spend('a', 100, 31)).toMatchObject({ isTaken: false, remaining: 30 })
  expect(await leases.spend('a', 100, 30)).toMatchObject({ isTaken: true, remaining: 0 })
})

test('a busy account with a large quota takes few statements, with at most 1 % reserved ahead', async () => {
  const { store, usedOf, count } = createCounting()
  const leases = node(store)
  for (let i = 1; i <= 2_000; i++) {
    await leases.spend('a', 10_000, 1)
    expect((usedOf('a') ?? 0) - i).toBeLessThanOrEqual(100)
  }
  expect(count()).toBeLessThan(100)
})

test('units reserved ahead are released when the node closes', async () => {
  const { store, usedOf } = createCounting()
  const leases = node(store)
  for (let i = 0; i < 20; i++) {
    await leases.spend('a', 10_000, 1)
  }
  expect(usedOf('a')).toBeGreaterThan(20)
  await leases.close()
  expect(usedOf('a')).toBe(20)
})

test('in the last fifth of a quota nothing is reserved ahead', async () => {
  const { store, usedOf } = createCounting()
  const leases = node(store)
  for (let i = 1; i <= 1_000; i++) {
    await leases.spend('a', 1_000, 1)
    if (i > 820) {
      expect(usedOf('a')).toBe(i)
    }
  }
})

test('an account with a small quota has nothing reserved ahead', async () => {
  const { store, usedOf } = createCounting()
  const leases = node(store)
  for (let i = 1; i <= 100; i++) {
    await leases.spend('a', 100, 1)
    expect(usedOf('a')).toBe(i)
  }
})

test('a new tier applies at once, and units used under the old one count', async () => {
  const { store } = createCounting()
  const leases = node(store)
  for (let i = 0; i < 100; i++) {
    await leases.spend('a', 100, 1)
  }
  expect(await leases.spend('a', 100, 1)).toMatchObject({ isTaken: false })
  expect(await leases.spend('a', 1_000, 1)).toMatchObject({ isTaken: true, remaining: 899 })
  expect(await leases.spend('a', 100, 1)).toMatchObject({ isTaken: false, remaining: 0 })
})

test('a full window follows one that is over', async () => {
  let at = 5_000
  const { store } = createCounting()
  const leases = node(store, () => at)
  expect(await leases.spend('a', 1, 1)).toEqual({ isTaken: true, remaining: 0, endsAt: 65_000 })
  at = 64_999
  expect(await leases.spend('a', 1, 1)).toMatchObject({ isTaken: false })
  at = 65_000
  expect(await leases.spend('a', 1, 1)).toEqual({ isTaken: true, remaining: 0, endsAt: 125_000 })
})

test('claims fail while the database is unavailable, and succeed once it is back', async () => {
  const { store } = createCounting()
  let isAway = true
  const take: QuotaStore['reserve'] = (...args) =>
    isAway ? Promise.reject(new Error('away')) : store.reserve(...args)
  const leases = node({ ...store, reserve: take })
  const both = await Promise.allSettled([leases.spend('a', 10, 1), leases.spend('b', 10, 1)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await leases.spend('a', 10, 1)).toMatchObject({ isTaken: true, remaining: 9 })
})

test('a month of any length begins on the first at midnight UTC', () => {
  const at = (time: string) => Date.parse(time)
  const { startsAt, endOf } = monthWindow(at('2028-02-29T23:59:59.999Z'))
  expect(new Date(startsAt).toISOString()).toBe('2028-02-01T00:00:00.000Z')
  expect(new Date(endOf(startsAt)).toISOString()).toBe('2028-03-01T00:00:00.000Z')
  const december = monthWindow(at('2026-12-31T12:00:00Z'))
  expect(december.endOf(december.startsAt)).toBe(at('2027-01-01T00:00:00Z'))
})
