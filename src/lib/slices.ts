/** Work that takes longer in one piece keeps the requests of all others waiting. */
const SLICE_MS = 5

/** The items, with a turn for other work whenever those so far have taken a few milliseconds. */
export async function* inSlices<T>(items: Iterable<T>): AsyncGenerator<T> {
  let startedAt = performance.now()
  for (const item of items) {
    if (performance.now() - startedAt > SLICE_MS) {
      await new Promise(setImmediate)
      startedAt = performance.now()
    }
    yield item
  }
}
