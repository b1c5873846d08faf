import { BlockList, isIP } from 'node:net'

/**
 * Which addresses a webhook may reach: those of the public internet, and what the operator lists.
 * Pure policy over addresses; names are resolved, and the answers brought here, by connect.ts.
 */
export interface AddressPolicy {
  /** The ranges of STANDING_WEBHOOK_ALLOW, as written. */
  readonly allow: readonly string[]
  readonly ranges: readonly Range[]
}

type Family = 'ipv4' | 'ipv6'

interface Range {
  readonly family: Family
  readonly prefix: number
  readonly list: BlockList
}

interface Address {
  readonly ip: string
  readonly family: Family
}

/**
 * Not public, by IANA's IPv4 special-purpose registry (RFC 6890 and its updates). The registry's
 * few "globally reachable" anycast blocks are here too: nobody receives webhooks on them.
 */
const SPECIAL_IPV4 = [
  '10.0.0.0/8', // private (RFC 1918)
  '100.64.0.0/10', // carrier-grade NAT (RFC 6598)
  '127.0.0.0/8', // loopback
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '240.0.0.0/4', // reserved
].map(parseRange)

/** Global unicast is 2000::/3 and nothing else: what IANA has not given out yet is refused too. */
const GLOBAL_IPV6 = parseRange('2000::/3')

const SPECIAL_IPV6 = [
  '2001::/23', // IETF assignments: Teredo, benchmarks, AMT, AS112, ORCHID, drones
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // 6bone, returned
  '3fff::/20', // documentation
].map(parseRange)

/**
 * No list re-admits these. Clouds keep the keys of the host on them, or nothing can listen there:
 * an operator who allows 100.64.0.0/10 or 0.0.0.0/0 means his machines, never the metadata service.
 */
const NEVER = [
  '0.0.0.0/8', // unspecified: the kernel connects it to loopback, which has its own names
  '169.254.0.0/16', // link-local: metadata of AWS (.169.254, .170.2), Azure, Google, Oracle
  '100.100.100.200/32', // metadata of Alibaba, inside CGNAT
  '168.63.129.16/32', // Azure's host agent, a public-looking address
  '192.0.0.192/32', // metadata of Oracle Cloud's older machines
  '224.0.0.0/4', // multicast
  '255.255.255.255/32', // broadcast
  '::/128', // unspecified
  'fe80::/10', // link-local
  'fec0::/10', // site-local, deprecated
  'ff00::/8', // multicast
  'fd00:ec2::/32', // services of an AWS host: metadata, credentials, time
  'fd20:ce::254/128', // metadata of Google Cloud
].map(parseRange)

const MAPPED = parseRange('::ffff:0:0/96')

/** IPv6 ranges that carry an IPv4 address, and where: such an address must pass as both. */
const CARRIERS: readonly {
  readonly range: Range
  readonly carried: (g: Groups) => string | null
}[] = [
  // IPv4-compatible; ::1 and its like carry nothing.
  { range: parseRange('::/96'), carried: (g) => (g[6] === 0 ? null : dotted(g[6], g[7])) },
  { range: parseRange('::ffff:0:0:0/96'), carried: (g) => dotted(g[6], g[7]) }, // translated
  { range: parseRange('64:ff9b::/96'), carried: (g) => dotted(g[6], g[7]) }, // NAT64
  { range: parseRange('64:ff9b:1::/48'), carried: (g) => dotted(g[6], g[7]) }, // local NAT64
  { range: parseRange('2002::/16'), carried: (g) => dotted(g[1], g[2]) }, // 6to4
  // Teredo keeps the client's address with every bit turned.
  { range: parseRange('2001::/32'), carried: (g) => dotted(g[6] ^ 0xffff, g[7] ^ 0xffff) },
]

/**
 * The policy for a list of CIDR ranges or single addresses; an empty list admits the public alone.
 * Throws an Error that says which entry is wrong and why.
 */
export function createPolicy(allowCidrs: readonly string[]): AddressPolicy {
  return { allow: [...allowCidrs], ranges: allowCidrs.map(parseAllowed) }
}

/** Whether a webhook may connect to this address. Anything that is not an address is refused. */
export function isAllowedAddress(ip: string, policy: AddressPolicy): boolean {
  const address = readAddress(ip)
  return address !== null && passes(address, policy, isPublic(address) || isListed(address, policy))
}

/** Whether the operator's list itself admits this address: plain http is for these alone. */
export function isListedAddress(ip: string, policy: AddressPolicy): boolean {
  const address = readAddress(ip)
  return address !== null && passes(address, policy, isListed(address, policy))
}

function passes(address: Address, policy: AddressPolicy, admitted: boolean): boolean {
  if (!admitted || isWithin(address, NEVER)) return false
  const carried = carriedBy(address)
  return carried === null || isAllowedAddress(carried, policy)
}

function isPublic(address: Address): boolean {
  if (address.family === 'ipv4') return !isWithin(address, SPECIAL_IPV4)
  return isWithin(address, [GLOBAL_IPV6]) && !isWithin(address, SPECIAL_IPV6)
}

function isListed(address: Address, policy: AddressPolicy): boolean {
  return isWithin(address, policy.ranges)
}

/** Families are kept apart: Node's BlockList would let `::/0` match every IPv4 address too. */
function isWithin({ ip, family }: Address, ranges: readonly Range[]): boolean {
  return ranges.some((range) => range.family === family && range.list.check(ip, family))
}

/** An IPv4-mapped address is read as the IPv4 address the kernel makes of it. */
function readAddress(ip: string): Address | null {
  // A zone (`fe80::1%eth0`) names an interface, and only link-local addresses need one.
  if (ip.includes('%')) return null
  const version = isIP(ip)
  if (version === 4) return { ip, family: 'ipv4' }
  if (version !== 6) return null
  const address: Address = { ip, family: 'ipv6' }
  if (!isWithin(address, [MAPPED])) return address
  const groups = groupsOf(ip)
  return { ip: dotted(groups[6], groups[7]), family: 'ipv4' }
}

function carriedBy(address: Address): string | null {
  const carrier = CARRIERS.find(({ range }) => isWithin(address, [range]))
  return carrier === undefined ? null : carrier.carried(groupsOf(address.ip))
}

type Groups = readonly [number, number, number, number, number, number, number, number]

/** The eight groups of a valid IPv6 address; the URL parser first turns `1.2.3.4` tails to hex. */
function groupsOf(ip: string): Groups {
  const [head = '', tail] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - left.length - right.length).fill('0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16)) as never as Groups
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function parseAllowed(cidr: string): Range {
  const range = parseRange(cidr)
  const [ip = ''] = cidr.split('/')
  if (isWithin({ ip, family: range.family }, [MAPPED]) && range.family === 'ipv6')
    throw new Error(`"${cidr}" is an IPv4 range written as IPv6: write it as IPv4`)
  const whole = NEVER.some(
    (never) => never.prefix <= range.prefix && isWithin({ ip, family: range.family }, [never]),
  )
  if (whole) throw new Error(`"${cidr}" can never be allowed: metadata, link-local or not a host`)
  return range
}

function parseRange(cidr: string): Range {
  const [, ip = '', digits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(cidr) ?? []
  const version = isIP(ip)
  if (version === 0)
    throw new Error(`"${cidr}" is not an address range such as 10.0.0.0/8 or fd12:3456::/32`)
  const width = version === 4 ? 32 : 128
  const prefix = digits === undefined ? width : Number(digits)
  if (prefix > width) throw new Error(`"${cidr}" has a prefix longer than ${width} bits`)
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (hasHostBits(ip, family, BigInt(width - prefix)))
    throw new Error(`"${cidr}" has bits set behind its prefix: write the range's first address`)
  const list = new BlockList()
  list.addSubnet(ip, prefix, family)
  return { family, prefix, list }
}

function hasHostBits(ip: string, family: Family, hostBits: bigint): boolean {
  const [parts, size] =
    family === 'ipv4' ? [ip.split('.').map(Number), 8n] : [[...groupsOf(ip)], 16n]
  const value = parts.reduce((sum, part) => (sum << size) | BigInt(part), 0n)
  return (value & ((1n << hostBits) - 1n)) !== 0n
}
