import { isIP } from 'node:net'
import { dotted, isWithin, type Located, parseRange, type Range } from './range.ts'

/**
 * Which addresses an outgoing request may reach: those of the public internet, and those that the operator lists.
 * Pure: connect.ts resolves names and checks the answers here.
 */
export interface AddressPolicy {
  /** The ranges of STANDING_WEBHOOK_ALLOW, as written. */
  readonly allow: readonly string[]
  readonly ranges: readonly Range[]
}

/**
 * Not public, by IANA's IPv4 special-purpose registry (RFC 6890 and its updates). The registry's
 * few "globally reachable" anycast blocks are included: no server has such an address.
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

/** Global unicast is 2000::/3 and nothing else: ranges that IANA has not assigned are refused too. */
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
 * No allow-list admits these: clouds serve the credentials of the host on them, or nothing can listen
 * there. An operator who allows 100.64.0.0/10 or 0.0.0.0/0 means machines, never the metadata service.
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

/** IPv6 ranges that contain an IPv4 address in two groups: both addresses must be allowed. */
const CARRIERS = [
  { range: parseRange('::1/128'), at: null }, // loopback, no IPv4-compatible address
  { range: parseRange('::/96'), at: 6 }, // IPv4-compatible
  { range: parseRange('::ffff:0:0:0/96'), at: 6 }, // IPv4-translated
  { range: parseRange('64:ff9b::/96'), at: 6 }, // NAT64
  { range: parseRange('64:ff9b:1::/48'), at: 6 }, // local NAT64, in its usual /96 form
  { range: parseRange('2002::/16'), at: 1 }, // 6to4
  { range: parseRange('2001::/32'), at: 6, isFlipped: true }, // Teredo turns every bit
]

/**
 * The policy for a list of CIDR ranges or single addresses; an empty list admits public addresses only.
 * Throws an Error that names the wrong entry and the reason.
 */
export function createPolicy(allowCidrs: readonly string[]): AddressPolicy {
  return { allow: [...allowCidrs], ranges: allowCidrs.map(parseAllowed) }
}

/** Whether an outgoing request may connect to this address. Anything that is not an address is refused. */
export function isAllowedAddress(ip: string, policy: AddressPolicy): boolean {
  const address = readAddress(ip)
  return address !== null && passes(address, policy, isPublic(address) || isListed(address, policy))
}

/** Whether the operator's list admits this address: plain http is for these only. */
export function isListedAddress(ip: string, policy: AddressPolicy): boolean {
  const address = readAddress(ip)
  return address !== null && passes(address, policy, isListed(address, policy))
}

function passes(address: Located, policy: AddressPolicy, isAdmitted: boolean): boolean {
  if (!isAdmitted || isWithin(address, NEVER)) {
    return false
  }
  const carried = carriedBy(address)
  return carried === null || isAllowedAddress(carried, policy)
}

function isPublic(address: Located): boolean {
  if (address.family === 'ipv4') {
    return !isWithin(address, SPECIAL_IPV4)
  }
  return isWithin(address, [GLOBAL_IPV6]) && !isWithin(address, SPECIAL_IPV6)
}

function isListed(address: Located, policy: AddressPolicy): boolean {
  return isWithin(address, policy.ranges)
}

/** An IPv4-mapped address is read as the IPv4 address that the kernel connects to. */
function readAddress(ip: string): Located | null {
  // A zone (`fe80::1%eth0`) names an interface, and only link-local addresses need one.
  if (ip.includes('%')) {
    return null
  }
  const version = isIP(ip)
  if (version === 4) {
    return { ip, family: 'ipv4' }
  }
  if (version !== 6) {
    return null
  }
  const address: Located = { ip, family: 'ipv6' }
  if (!isWithin(address, [MAPPED])) {
    return address
  }
  return { ip: dotted(ip, 6), family: 'ipv4' }
}

function carriedBy(address: Located): string | null {
  const carrier = CARRIERS.find(({ range }) => isWithin(address, [range]))
  if (carrier === undefined || carrier.at === null) {
    return null
  }
  return dotted(address.ip, carrier.at, carrier.isFlipped)
}

/** A range that requests may be allowed to reach. Throws an Error that names the problem. */
export function parseAllowed(cidr: string): Range {
  const range = parseRange(cidr)
  if (MAPPED.prefix <= range.prefix && isWithin(range, [MAPPED])) {
    throw new Error(`"${cidr}" is an IPv4 range written as IPv6: write it as IPv4`)
  }
  if (NEVER.some((never) => never.prefix <= range.prefix && isWithin(range, [never]))) {
    throw new Error(`"${cidr}" can never be allowed: metadata, link-local or not a host`)
  }
  return range
}
