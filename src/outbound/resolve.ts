import { promises as dns } from 'node:dns'
import { createSemaphore } from '../lib/semaphore.ts'
import { errorCode } from './error-code.ts'

/** All addresses of a name, IPv4 and IPv6. Rejects when it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Two tries of two seconds: within the connect timeout, and one lost packet does no harm. */
const DNS_TIMES = { timeout: 2000, tries: 2 } as const

/** The thread pool of Node has four threads, which also hash passwords and read files: half stay free. */
const SYSTEM_LOOKUPS_MAX = 2

export interface ResolverOptions {
  /** Also asks the system (hosts file, search domains), for servers in the operator's network. */
  readonly system: boolean
  /** DNS servers, `address:port`, in place of those of the machine; no query goes elsewhere. */
  readonly servers?: readonly string[] | undefined
}

/**
 * A resolver that sends DNS queries on sockets. The usual `dns.lookup` blocks one of the four threads of
 * Node's pool for each name: four names on a name server that never answers would stop every other
 * delivery, and more. So the lookup of the system is used only when DNS cannot have the name: where the
 * operator admits requests into a private network, or the machine has no DNS server. Servers that the
 * operator names are asked alone.
 */
export function createResolver(options: ResolverOptions): Resolve {
  const resolver = createDns(options.servers)
  const systemLookups = createSemaphore({ runningMax: SYSTEM_LOOKUPS_MAX })
  return async (name) => {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const addresses = answers.flatMap((a) => (a.status === 'fulfilled' ? a.value : []))
    if (addresses.length > 0) {
      return addresses
    }
    const error = answers.find((a) => a.status === 'rejected')?.reason
    const hasNoServer = !options.servers?.length && errorCode(error) === 'ECONNREFUSED'
    if (!options.system && !hasNoServer) {
      throw error
    }
    return systemLookups.run(() => systemLookup(name))
  }
}

/** A client of DNS that asks these servers, or those of the machine. */
export function createDns(servers: readonly string[] = []): dns.Resolver {
  const resolver = new dns.Resolver(DNS_TIMES)
  if (servers.length > 0) {
    resolver.setServers(servers)
  }
  return resolver
}

async function systemLookup(name: string): Promise<readonly string[]> {
  return (await dns.lookup(name, { all: true, verbatim: true })).map(({ address }) => address)
}
