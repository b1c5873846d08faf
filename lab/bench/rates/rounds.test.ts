import { expect, test } from 'vitest'
import type { Contender } from './contenders.ts'
import { type Pair, runRounds } from './rounds.ts'
import { rowOf, runsOf } from './rows.ts'

const OPTIONS = { rounds: 5, roundMs: 2_000, firstMs: 2_000 }

/** Contenders on a machine whose speed depends on how long it has worked: no time passes. */
function machineOf(speedAfter: (ms: number) => number) {
  const ran: string[] = []
  let now = 0
  const contender = (name: string, perSecond: number): Contender => ({
    pid: null,
    async run(ms) {
      const speed = speedAfter(now) * perSecond
      now += ms
      ran.push(name)
      return { perSecond: speed, total: speed, tookMs: Float64Array.of(ms), p50Ms: ms, p99Ms: ms }
    },
  })
  const pair: Pair = {
    name: 'ours : anchor',
    ours: contender('ours', 500),
    anchor: contender('anchor', 1_000),
    target: null,
  }
  return { pair, ran }
}

const measure = (pairs: readonly Pair[]) => runRounds(pairs, OPTIONS, process.pid, () => {})

test('both sides of a pair take turns in slices, each time in the reverse order', async () => {
  const { pair, ran } = machineOf(() => 1)
  await measure([pair])
  const turns = ['ours', 'anchor', 'anchor', 'ours', 'ours', 'anchor', 'anchor', 'ours']
  const round = ['ours', 'anchor', ...turns]
  expect(ran).toEqual(['ours', 'anchor', ...Array.from({ length: 5 }, () => round).flat()])
})

test('a machine whose speed doubles and halves every seven seconds changes rates, not the ratio', async () => {
  const { pair } = machineOf((ms) => (Math.floor(ms / 7_000) % 2 === 0 ? 1 : 2))
  const measured = await measure([pair])
  const rates = measured.flatMap((one) => runsOf(pair.ours, [one])).map((run) => run.perSecond)
  expect(Math.max(...rates) / Math.min(...rates)).toBeGreaterThan(1.4)
  expect(measured.map(rowOf)[0]?.ratio).toBeCloseTo(0.5, 1)
})

test('the figures of a contender come from all pairs that it belongs to', async () => {
  const { pair } = machineOf(() => 1)
  const other = { ...machineOf(() => 1).pair, anchor: pair.ours }
  const measured = await measure([pair, other])
  expect(runsOf(pair.ours, measured).map((run) => run.perSecond)).toEqual(Array(10).fill(500))
  expect(runsOf(pair.anchor, measured)).toHaveLength(5)
})
