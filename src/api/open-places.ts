import { accountNameOf, type Caller } from '../domain/caller.ts'
import { TrustError, unavailable } from '../domain/error.ts'
import { createCounts } from '../lib/counts.ts'

/** What this node sends for as long as its clients read it. */
export interface OpenPlaces {
  /**
   * Takes a place, and returns what frees it; to free it again does nothing.
   * @throws TrustError where the account, or this node, has too many
   */
  take(caller: Caller): () => void
}

export interface OpenPlacesOptions {
  readonly perAccountMax: number
  readonly allMax: number
  /** In `details.limit` of the refusal of an account. */
  readonly limit: string
  /** What is wrong where an account has too many, and where the node has. */
  readonly accountRefusal: string
  readonly nodeRefusal: string
  /** Ends one of this account, which has the most, for an account that has fewer. By default a full node refuses. */
  readonly giveWay?: (account: string) => void
}

/** Until a place of the account may be free: as long as a client waits that continues a stream. */
const RETRY_SECONDS = 2

export function createOpenPlaces(options: OpenPlacesOptions): OpenPlaces {
  const { perAccountMax: max, allMax, limit, accountRefusal, nodeRefusal, giveWay } = options
  const perAccount = createCounts()
  let all = 0

  function makeRoom(account: string): void {
    const most = perAccount.most()
    // With one more, two accounts would end each other's in turns.
    const isFair = most !== null && perAccount.of(most) > perAccount.of(account) + 1
    if (giveWay === undefined || !isFair) {
      throw unavailable(nodeRefusal)
    }
    giveWay(most)
  }

  return {
    take(caller) {
      const account = accountNameOf(caller)
      if (perAccount.of(account) >= max) {
        throw new TrustError('RATE_LIMIT_EXCEEDED', accountRefusal, { limit, max }, RETRY_SECONDS)
      }
      if (all >= allMax) {
        makeRoom(account)
      }
      perAccount.add(account, 1)
      all++
      let isFree = false
      return () => {
        if (!isFree) {
          isFree = true
          perAccount.add(account, -1)
          all--
        }
      }
    },
  }
}
