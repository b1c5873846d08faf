import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { median } from '../../../lab/statistics.ts'
import { at, run } from './testing/run.ts'

const START = Date.parse(at(0))
/** So few that all of what is remembered of them is there after some hundred lines each. */
const AGENTS = 7
/** Memory is measured after each part, but for the first ones, which fill what is remembered of the agents. */
const PART = 2_000
const PARTS_FIRST = 2
const PARTS = 6

/** Events with names, about seven agents by ten platforms, each agent asked about once in a while. */
function* lines(onPart: () => void): Generator<object> {
  for (let i = 0; i < PART * PARTS; i++) {
    const time = new Date(START + i * 600_000).toISOString()
    const agent = `a${i % AGENTS}`
    yield {
      at: time,
      agent,
      by: `p${i % 10}`,
      ...(i % 30 === 0
        ? { type: 'task.failed' }
        : { type: 'payment.completed', data: { amount: 20 + (i % 50) } }),
      externalId: `order-${i}`,
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

/** An event that was kept would take more: its record alone has 23 fields of 8 bytes, and two texts. */
const LINE_BYTES_MAX = 150

/** In the median part: what else runs in this process is in one part or another, a line is in each. */
test('a processed line does not keep its event in memory', { timeout: 60_000 }, async () => {
  const measured: number[] = []
  let parts = 0
  await run(
    lines(() => {
      parts++
      if (parts > PARTS_FIRST) {
        measured.push(inUse())
      }
    }),
  )
  expect(measured).toHaveLength(PARTS - PARTS_FIRST)
  const growths = measured.slice(1).map((bytes, i) => (bytes - (measured[i] ?? 0)) / PART)
  expect(median(growths)).toBeLessThan(LINE_BYTES_MAX)
})
