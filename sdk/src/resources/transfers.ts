import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { Listing } from '../page.ts'
import type { AcceptedTransfer, ListQuery, Transfer, TransferInput } from '../types.ts'
import { path } from '../url.ts'

export type Transfers = ReturnType<typeof transferCalls>

/** For an owner: agents that pass to another owner, or come from one. */
export function transferCalls({ read, post, remove, list }: Calls) {
  return {
    /** By the owner of the agent. Nothing changes until the other owner accepts. */
    offer: (agentId: string, input: TransferInput, options?: WriteOptions): Promise<Transfer> =>
      post(path`/v1/agents/${agentId}/transfers`, ['token'], input, options),
    /** The offers that the account made or was made. */
    list: (query?: ListQuery, options?: CallOptions): Listing<Transfer> =>
      list('/v1/transfers', ['token'], query, options),
    get: (id: string, options?: CallOptions): Promise<Transfer> =>
      read(path`/v1/transfers/${id}`, ['token'], options),
    /** By the new owner. The answer alone carries the agent's new and only `apiKey`. */
    accept: (id: string, options?: WriteOptions): Promise<AcceptedTransfer> =>
      post(path`/v1/transfers/${id}/accept`, ['token'], undefined, options),
    /** By the owner that it was offered to. */
    decline: (id: string, options?: WriteOptions): Promise<Transfer> =>
      post(path`/v1/transfers/${id}/decline`, ['token'], undefined, options),
    /** By the owner that made the offer. */
    withdraw: (id: string, options?: WriteOptions): Promise<Transfer> =>
      remove(path`/v1/transfers/${id}`, ['token'], options),
  }
}
