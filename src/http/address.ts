import { type BlockList, isIP } from 'node:net'

/**
 * Where a request comes from: the peer, or, as far as proxies are trusted, whom they name. IPv6
 * callers hold a whole /64 each, so that is what they are told apart by.
 */
export function addressOf(peer: string, forwardedFor: string | null, trusted: BlockList): string {
  // Nearly everyone: nothing forwarded, and nothing to tell apart within an address.
  if (forwardedFor === null && !peer.includes(':')) {
    return peer
  }
  const hops = forwardedFor?.split(',').map((hop) => plain(hop.trim())) ?? []
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

export function isTrusted(peer: string, trusted: BlockList): boolean {
  const address = plain(peer)
  const version = isIP(address)
  return version !== 0 && trusted.check(address, version === 6 ? 'ipv6' : 'ipv4')
}

/** IPv4 in IPv6's clothes is IPv4. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address
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
