import { BlockList, isIP } from 'node:net'
import { UserError } from '../lib/user-error.ts'
import { parseAllowed } from '../outbound/address.ts'
import { type Get, listed } from './values.ts'

/**
 * The address of the service from outside, without a slash at its end, and as clients write it: a signature over
 * `https://host/…` is not one over `https://Host:443/…`.
 * @throws UserError
 */
export function baseUrl(get: Get): string | null {
  const text = get('STANDING_BASE_URL')
  if (text === null) {
    return null
  }
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url && !url.username && !url.password && !url.search && !url.hash
  if (isPlain && /^https?:$/.test(url.protocol)) {
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  }
  throw new UserError(
    'STANDING_BASE_URL must be an http or https address without user name, query and fragment: https://example.com.',
  )
}

const PORT_MAX = 65_535

/** `address` or `address:port`, an IPv6 address with a port in brackets. @throws UserError */
export function dnsServers(get: Get): readonly string[] {
  const all = listed(get, 'STANDING_DNS_SERVERS')
  for (const server of all) {
    const [, bracketed, plain, port = '53'] =
      /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(server) ?? []
    if (isIP(bracketed ?? plain ?? server) === 0 || Number(port) > PORT_MAX) {
      throw new UserError(
        `STANDING_DNS_SERVERS must list addresses (9.9.9.9 or 127.0.0.1:5353), not "${server}".`,
      )
    }
  }
  return all
}

/** `eip155:1=https://…`, separated by commas: the endpoint of each chain. @throws UserError */
export function chainRpc(get: Get): ReadonlyMap<string, string> {
  const entries = listed(get, 'STANDING_CHAIN_RPC').map((entry) => {
    const [, chain, url] = /^(eip155:\d{1,32})=(https?:\/\/.+)$/.exec(entry) ?? []
    if (chain === undefined || url === undefined || !URL.canParse(url)) {
      throw new UserError(
        `STANDING_CHAIN_RPC must list chains and endpoints (eip155:1=https://…), not "${entry}".`,
      )
    }
    return [chain, url] as const
  })
  return new Map(entries)
}

/** Addresses and CIDRs that requests to callers' URLs may reach, as they are written. @throws UserError */
export function webhookAllow(get: Get): readonly string[] {
  const name = 'STANDING_WEBHOOK_ALLOW'
  const all = listed(get, name)
  for (const cidr of all) {
    try {
      parseAllowed(cidr)
    } catch (error) {
      throw new UserError(`${name}: ${(error as Error).message}.`)
    }
  }
  return all
}

/** The addresses of proxies whose X-Forwarded-For is trusted. @throws UserError */
export function trustedProxies(get: Get): BlockList {
  const list = new BlockList()
  for (const cidr of listed(get, 'STANDING_TRUST_PROXY')) {
    const { address, bits, family } = parseCidr(cidr)
    list.addSubnet(address, bits, family)
  }
  return list
}

function parseCidr(cidr: string) {
  const [address = '', bitsText] = cidr.split('/', 2)
  const version = isIP(address)
  const bitsMax = version === 6 ? 128 : 32
  // Digits alone: Number() reads no text as 0, and a range of 0 bits is everybody.
  const bits = bitsText === undefined ? bitsMax : Number(/^\d{1,3}$/.exec(bitsText)?.[0] ?? -1)
  if (version === 0 || bits < 0 || bits > bitsMax) {
    throw new UserError(
      `STANDING_TRUST_PROXY must list addresses or CIDRs (10.0.0.0/8), not "${cidr}".`,
    )
  }
  return { address, bits, family: version === 6 ? ('ipv6' as const) : ('ipv4' as const) }
}
