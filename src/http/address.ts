import { BlockList, isIP, type Socket } from 'node:net'

/**
 * The address a request comes from: the peer's, or the one that trusted proxies name in
 * X-Forwarded-For. An IPv6 address is reduced to its /64, which one subscriber has as a whole.
 */
export function addressOf(peer: string, forwardedFor: string | null, trusted: BlockList): string {
  // The usual case: nothing forwarded, and an IPv4 address.
  if (forwardedFor === null && !peer.includes(':')) {
    return peer
  }
  const hops = forwardedFor?.split(',').map((hop) => plain(withoutPort(hop.trim()))) ?? []
  let address = plain(peer)
  while (hops.length > 0 && isTrusted(address, trusted)) {
    const hop = hops.pop() ?? ''
    if (isIP(hop) === 0) {
      break
    }
    address = hop
  }
  return isIP(address) === 6 ? prefixOf(address) : address
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

export function isTrusted(peer: string, trusted: BlockList): boolean {
  const address = plain(peer)
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** The IPv4 address in an IPv4-mapped IPv6 address. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
}

/** Some proxies name the port as well: `203.0.113.5:50122`, `[2001:db8::1]:50122`. */
function withoutPort(hop: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i.exec(hop) ?? []
  return v4 ?? v6 ?? hop
}

function prefixOf(address: string): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::', 2)
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
