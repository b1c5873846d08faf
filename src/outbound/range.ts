import { BlockList, isIP } from 'node:net'

export interface Located {
  readonly ip: string
  readonly family: 'ipv4' | 'ipv6'
}

/** A CIDR range; `ip` is its first address. */
export interface Range extends Located {
  readonly prefix: number
  readonly list: BlockList
}

/** Whether any range contains the address. Families are kept apart, which a BlockList alone does not. */
export function isWithin({ ip, family }: Located, ranges: readonly Range[]): boolean {
  return ranges.some((range) => range.family === family && range.list.check(ip, family))
}

/** Reads `10.0.0.0/8` or a single address. Throws an Error that names the problem. */
export function parseRange(cidr: string): Range {
  const [, ip = '', digits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(cidr) ?? []
  const version = isIP(ip)
  if (version === 0) {
    throw new Error(`"${cidr}" is not an address range such as 10.0.0.0/8 or fd12:3456::/32`)
  }
  const width = version === 4 ? 32 : 128
  const prefix = digits === undefined ? width : Number(digits)
  if (prefix > width) {
    throw new Error(`"${cidr}" has a prefix longer than ${width} bits`)
  }
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (hasHostBits({ ip, family }, BigInt(width - prefix))) {
    throw new Error(`"${cidr}" has bits set behind its prefix: write the range's first address`)
  }
  const list = new BlockList()
  list.addSubnet(ip, prefix, family)
  return { ip, family, prefix, list }
}

/** The IPv4 address in two groups of an IPv6 address, from group `at`; `isFlipped`: inverted. */
export function dotted(ip: string, at: number, isFlipped = false): string {
  const flip = isFlipped ? 0xff : 0
  const bytes = groupsOf(ip)
    .slice(at, at + 2)
    .flatMap((group) => [group >> 8, group & 0xff])
  return bytes.map((byte) => byte ^ flip).join('.')
}

/** The eight groups of an IPv6 address; the URL parser first turns `1.2.3.4` tails to hex. */
function groupsOf(ip: string): readonly number[] {
  const [head = '', tail = ''] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

function hasHostBits({ ip, family }: Located, hostBits: bigint): boolean {
  const [parts, size] = family === 'ipv4' ? [ip.split('.').map(Number), 8n] : [groupsOf(ip), 16n]
  const value = parts.reduce((sum, part) => (sum << size) | BigInt(part), 0n)
  return (value & ((1n << hostBits) - 1n)) !== 0n
}
