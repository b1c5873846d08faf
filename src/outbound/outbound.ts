import { type AddressPolicy, createPolicy } from './address.ts'
import { createGuardedAgent } from './connect.ts'
import { errorCode } from './error-code.ts'
import { type Fetched, fetchDocument } from './fetch-document.ts'
import { createDns } from './resolve.ts'

/** Reads what others publish at places that callers name: documents by HTTP, TXT records by DNS. */
export interface Outbound {
  readonly policy: AddressPolicy
  fetch(url: string, accept?: string): Promise<Fetched>
  txt(name: string): Promise<TxtRecords>
  close(): Promise<void>
}

/** The TXT records of a name. `isAnswered` without records: DNS says that there are none. */
export interface TxtRecords {
  readonly records: readonly string[]
  readonly isAnswered: boolean
}

export interface OutboundOptions {
  /** The ranges of STANDING_WEBHOOK_ALLOW. */
  readonly allow: readonly string[]
  /** DNS servers in place of those of the machine; no query goes elsewhere. */
  readonly dnsServers?: readonly string[]
  readonly timeoutMs?: number
  /** Certificate authorities in PEM, in place of Node's own. */
  readonly ca?: string
}

export function createOutbound({
  allow,
  dnsServers = [],
  timeoutMs,
  ca,
}: OutboundOptions): Outbound {
  const policy = createPolicy(allow)
  const dispatcher = createGuardedAgent({ policy, dnsServers, ...(ca === undefined ? {} : { ca }) })
  const resolver = createDns(dnsServers)
  return {
    policy,
    fetch: (url, accept) => fetchDocument(url, { dispatcher, policy, timeoutMs, accept }),
    async txt(name) {
      try {
        const found = await resolver.resolveTxt(name)
        return { records: found.map((parts) => parts.join('')), isAnswered: true }
      } catch (error) {
        return { records: [], isAnswered: NO_RECORDS.has(errorCode(error)) }
      }
    },
    close: () => dispatcher.destroy(),
  }
}

/** DNS answered: there is no such name, or it has no such records. */
const NO_RECORDS: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA'])
