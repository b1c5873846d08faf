import { BlockList, type Socket } from 'node:net'
import { addressOf } from './address.ts'

/** How many connections each address has. Those of no address count for none. */
export interface AddressCounts {
  count(address: string | null): number
  add(address: string | null, by: 1 | -1): void
  /** The address with the most connections. */
  most(): string | null
}

export function createAddressCounts(): AddressCounts {
  const counts = new Map<string, number>()
  const count = (address: string | null) => (address && counts.get(address)) || 0
  return {
    count,
    add(address, by) {
      const after = count(address) + by
      if (address !== null && after > 0) {
        counts.set(address, after)
      } else if (address !== null) {
        counts.delete(address)
      }
    },
    most() {
      let most: string | null = null
      for (const [address, its] of counts) {
        most = its > count(most) ? address : most
      }
      return most
    },
  }
}

const NO_PROXIES = new BlockList()

/**
 * The address that a connection counts for: an IPv6 client has a whole network of addresses. Null for a proxy,
 * which stands for many clients.
 */
export function countedAddress(
  { remoteAddress }: Socket,
  isProxy: (address: string) => boolean,
): string | null {
  return remoteAddress === undefined || isProxy(remoteAddress)
    ? null
    : addressOf(remoteAddress, null, NO_PROXIES)
}
