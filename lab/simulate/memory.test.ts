import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { at, run } from './testing/run.ts'

const START = Date.parse(at(0))
const AGENTS = 50
const LINES = 120_000
/** Memory is measured after each of them. */
const PART = LINES / 6

/** Events about fifty agents by ten platforms, each agent asked about once in a while. */
function* lines(named: boolean, onPart: () => void): Generator<object> {
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
    if (i % PART === PART - 1) {
      onPart()
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

/**
 * Bytes that a line leaves behind: the median of the parts after the first. What else runs in this
 * process is in one part or another, and what each line leaves is in all of them.
 */
async function bytesPerLine(named: boolean): Promise<number> {
  const measured: number[] = []
  await run(lines(named, () => measured.push(inUse())))
  const growths = measured.slice(1).map((bytes, i) => (bytes - (measured[i] ?? 0)) / PART)
  return growths.sort((a, b) => a - b)[Math.floor(growths.length / 2)] ?? Number.NaN
}

/** An event that was kept would be some hundred. */
const NOTHING = 50

test('a hundred thousand lines more take no more memory', { timeout: 120_000 }, async () => {
  expect(await bytesPerLine(false)).toBeLessThan(NOTHING)
})

test('an event with a name takes forty bytes at most', { timeout: 120_000 }, async () => {
  expect(await bytesPerLine(true)).toBeLessThan(NOTHING + 40)
})
