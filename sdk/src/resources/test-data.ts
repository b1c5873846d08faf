import type { WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { DeletedTestData, TestPlatform } from '../types.ts'

export type TestData = ReturnType<typeof testDataCalls>

/** Data of its own for trying things out. Agents are registered with the option `mode: 'test'`. */
export function testDataCalls({ post, remove }: Calls) {
  return {
    /** An owner's platform for test data, or the one of a live platform, with its key. */
    createPlatform: (
      input: { readonly name?: string | undefined } = {},
      options?: WriteOptions,
    ): Promise<TestPlatform> =>
      post('/v1/test-data/platforms', ['token', 'apiKey'], input, options),
    /** Owner. Deletes all of the owner's test data, and no live data. */
    delete: (options?: WriteOptions): Promise<DeletedTestData> =>
      remove('/v1/test-data', ['token'], options),
  }
}
