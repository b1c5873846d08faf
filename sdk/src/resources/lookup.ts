import type { CallOptions } from '../call.ts'
import { ANYONE, batches, type Calls } from '../calls.ts'
import type { Schema } from '../schema.ts'
import type { Lookup } from '../types.ts'

export type Lookups = ReturnType<typeof lookupCalls>

export function lookupCalls({ read, ask }: Calls) {
  return {
    /** The agent with this name and its score. A name that is unknown is an answer, not an error. */
    get: (identifier: string, options?: CallOptions): Promise<Lookup> =>
      read('/v1/lookup', ANYONE, options, { identifier }),
    /** Any number of names, a request for each hundred, in the order given. */
    async getBatch(
      identifiers: readonly string[],
      options?: CallOptions,
    ): Promise<ReadonlyMap<string, Lookup>> {
      const found = new Map<string, Lookup>()
      for (const batch of batches([...new Set(identifiers)])) {
        const body = { identifiers: batch }
        const answer = await ask<Schema<'LookupBatchAnswer'>>('/v1/lookup', ANYONE, body, options)
        for (const lookup of answer.data) {
          found.set(lookup.identifier, lookup)
        }
      }
      return found
    },
  }
}
