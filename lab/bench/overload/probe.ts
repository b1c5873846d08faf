import { pause } from '../../../src/lib/pause.ts'

/** The response times of requests during the flood, in ascending order. */
export type ProbeResult = readonly number[]

/** Often enough for a hundred samples in a short run, too seldom to be a load. */
const EVERY_MS = 50

/** Asks again and again, each time on a connection of its own, until the flood is over. */
export async function probe(
  url: string,
  flooding: Promise<unknown>,
  warmMs: number,
): Promise<ProbeResult> {
  const countsFrom = performance.now() + warmMs
  let isOver = false
  const over = flooding.finally(() => {
    isOver = true
  })
  const tookMs: number[] = []
  while (!isOver) {
    const startedAt = performance.now()
    await fetch(url, { headers: { connection: 'close' } }).then((response) => response.text())
    if (startedAt >= countsFrom) {
      tookMs.push(performance.now() - startedAt)
    }
    await Promise.race([over, pause(EVERY_MS)])
  }
  return tookMs.sort((a, b) => a - b)
}
