import { expect, test } from 'vitest'
import { DECISIONS_MAX, type DecisionRow, type Store } from '../store/store.ts'
import { createDecisionLog, type NewDecision } from './decision-log.ts'

const PLATFORM = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
const TEST_PLATFORM = '01931b66-7d50-8c63-b6f2-3f1a2b3c4d5e'

function newLog(insertAll: (rows: readonly DecisionRow[]) => Promise<void>) {
  const errors: unknown[] = []
  let ids = 0
  const log = createDecisionLog({
    store: { decisions: { insertAll } } as unknown as Store,
    now: () => 5,
    newId: () => `01931b66-7d50-7c63-b6f2-${String(ids++).padStart(12, '0')}`,
    onError: (error) => errors.push(error),
  })
  return { log, errors }
}

function decision(action: string, platformId = PLATFORM): NewDecision {
  return {
    platformId,
    via: 'api',
    agentId: null,
    identifier: 'x'.repeat(600),
    action,
    verdict: 'deny',
    reasons: [],
    score: null,
    policy: null,
  }
}

test('decisions are written in batches, each in the mode of its platform', async () => {
  const written: DecisionRow[] = []
  const { log } = newLog(async (rows) => void written.push(...rows))
  log.add(decision('a'))
  log.add(decision('b', TEST_PLATFORM))
  expect(written).toEqual([])
  await log.flush()
  expect(written.map(({ action, id }) => [action, id.charAt(14)])).toEqual([
    ['a', '7'],
    ['b', '8'],
  ])
  expect(written[0]).toMatchObject({ createdAt: 5, identifier: 'x'.repeat(500) })
})

test('only the latest decisions are written when there are more than the maximum', async () => {
  const written: DecisionRow[] = []
  const { log } = newLog(async (rows) => void written.push(...rows))
  const count = 2 * DECISIONS_MAX + 7
  for (let i = 0; i < count; i++) {
    log.add(decision(String(i)))
  }
  await log.flush()
  expect(written).toHaveLength(DECISIONS_MAX)
  expect(written.at(-1)?.action).toBe(String(count - 1))
  expect(written[0]?.action).toBe(String(count - DECISIONS_MAX))
})

test('a failed write is reported, and the next one is made', async () => {
  const written: DecisionRow[] = []
  const failure = new Error('away')
  let isAway = true
  const { log, errors } = newLog(async (rows) => {
    if (isAway) {
      throw failure
    }
    written.push(...rows)
  })
  log.add(decision('lost'))
  await log.flush()
  isAway = false
  log.add(decision('next'))
  await log.flush()
  expect(errors).toEqual([failure])
  expect(written.map(({ action }) => action)).toEqual(['next'])
})

test('the number of waiting decisions is bounded while nothing can be written', async () => {
  const written: DecisionRow[] = []
  const { log } = newLog(async (rows) => void written.push(...rows))
  for (let i = 0; i < 30_000; i++) {
    log.add(decision('a', `01931b66-7d50-7c63-b6f2-${String(i).padStart(12, '0')}`))
  }
  await log.flush()
  expect(written).toHaveLength(20_000)
})
