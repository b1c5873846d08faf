import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { at, run } from './testing/run.ts'

const START = Date.parse(at(0))
const AGENTS = 50
const LINES = 120_000

/** Events about fifty agents by ten platforms, each agent asked about once in a while. */
function* lines(named: boolean, onThird: () => void): Generator<object> {
  for (let i = 0; i < LINES; i++) {
    const time = new Date(START + i * 60_000).toISOString()
    const agent = `a${i % AGENTS}`
    yield {
      at: time,
      agent,
      by: `p${i % 10}`,
      ...(i % 30 === 0
        ? { type: 'task.failed' }
        : { type: 'payment.completed', data: { amount: 20 + (i % 50) } }),
      ...(named ? { externalId: `order-${i}` } : {}),
    }
    if (i % 1000 === 0) {
      yield { at: time, ask: agent }
    }
    if (i % (LINES / 3) === LINES / 3 - 1) {
      onThird()
    }
  }
}

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

function inUse(): number {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

async function growthOf(named: boolean): Promise<number> {
  const measured: number[] = []
  await run(lines(named, () => measured.push(inUse())))
  const [first = 0, , last = 0] = measured
  return last - first
}

test('eighty thousand lines more take no more memory', { timeout: 120_000 }, async () => {
  expect(await growthOf(false)).toBeLessThan(4_000_000)
})

test('an event with a name takes forty bytes at most', { timeout: 120_000 }, async () => {
  expect(await growthOf(true)).toBeLessThan(4_000_000 + 40 * ((2 * LINES) / 3))
})
