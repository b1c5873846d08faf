import { isIP, type LookupFunction, type Socket } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { type AddressPolicy, isAllowedAddress, isListedAddress } from './address.ts'
import { createResolver, type Resolve } from './resolve.ts'
import { isLocalhostName } from './url.ts'

export interface GuardedAgentOptions {
  readonly policy: AddressPolicy
  /** In place of DNS. Its answers are checked as well. */
  readonly resolve?: Resolve
  /** DNS servers in place of those of the machine; no query goes elsewhere. */
  readonly dnsServers?: readonly string[] | undefined
  /** Name, TCP and TLS together. */
  readonly connectTimeoutMs?: number
  /** Certificate authorities in PEM, in place of Node's own. */
  readonly ca?: string
}

/** The code of the error with which a connection to a forbidden address is refused. */
export const FORBIDDEN_ADDRESS = 'FORBIDDEN_ADDRESS'

/** A server that cannot be reached in five seconds is down. */
const CONNECT_TIMEOUT_MS = 5000

/** After this time the next address of a name is tried in parallel. */
const NEXT_ADDRESS_MS = 500

/** The limit that Node has for servers; no server has a reason for more. */
const HEADER_BYTES_MAX = 16 * 1024

type Admits = (ip: string) => boolean

/**
 * The only connections that the service makes to URLs that callers name. It connects only to addresses
 * that the policy admits, checked on the address that is really connected to, so neither a spelling nor a
 * changing DNS answer gets past it:
 *
 * - a name is resolved once per connection and refused if any answer is forbidden, and the socket
 *   connects to the checked answers, never to the name (no second lookup, no race);
 * - an address in the URL is checked before the socket exists: Node resolves nothing there;
 * - the peer of the open socket is checked again before a byte of the request is sent.
 *
 * Host, SNI and the name of the certificate are those of the URL. Proxies from the environment are
 * ignored, redirects are not followed, HTTP/2 is not offered. Connections are kept alive; close the
 * agent to end them.
 */
export function createGuardedAgent(options: GuardedAgentOptions): Agent {
  const { policy, dnsServers: servers } = options
  const system = policy.allow.length > 0 && !servers?.length
  const resolve = options.resolve ?? createResolver({ system, servers })
  const secure = guardedConnector(options, resolve, (ip) => isAllowedAddress(ip, policy))
  const plain = guardedConnector(options, resolve, (ip) => isListedAddress(ip, policy))
  return new Agent({
    connect: (target, callback) =>
      (target.protocol === 'https:' ? secure : plain)(target, callback),
    // Many subscriptions may share a host. The dispatcher limits the requests; a limit here would let
    // one path that hangs delay the others of its host.
    connections: null,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
  })
}

function guardedConnector(
  options: GuardedAgentOptions,
  resolve: Resolve,
  admits: Admits,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: checkedLookup(resolve, admits),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    timeout: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    allowH2: false,
    // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would turn it off.
    rejectUnauthorized: true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  })
  return (target, callback) => {
    if (isIP(target.hostname) !== 0 && !admits(target.hostname)) {
      return callback(forbidden(), null)
    }
    connect(target, (...[error, socket]) => {
      if (error !== null) {
        return callback(error, null)
      }
      if (admits(socket.remoteAddress ?? '')) {
        return callback(null, socket)
      }
      discard(socket)
      callback(forbidden(), null)
    })
  }
}

/** A `lookup` for sockets, which connect to its answers and to nothing else. */
function checkedLookup(resolve: Resolve, admits: Admits): LookupFunction {
  return (name, options, callback) => {
    checkedAddresses(name, resolve, admits).then(
      (found) => {
        const list = found.map((address) => ({ address, family: isIP(address) }))
        const [first] = list
        if (first === undefined) {
          callback(notFound(name), [])
        } else if (options.all) {
          callback(null, list)
        } else {
          callback(null, first.address, first.family)
        }
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    )
  }
}

/**
 * The addresses to connect to. One forbidden answer refuses the name: a mix of public and private
 * addresses is a sign of DNS rebinding. `localhost` is loopback by definition, and the allow-list may
 * contain one family of it alone.
 */
async function checkedAddresses(
  name: string,
  resolve: Resolve,
  admits: Admits,
): Promise<readonly string[]> {
  const isLocal = isLocalhostName(name)
  const found = isLocal ? ['127.0.0.1', '::1'].filter(admits) : await resolve(name)
  const isRefused = isLocal ? found.length === 0 : !found.every(admits)
  if (isRefused) {
    throw forbidden()
  }
  return found
}

/** Without the address: a request must not reveal how a network resolves its names. */
function forbidden(): Error {
  return Object.assign(new Error('The host has an address that may not be reached'), {
    code: FORBIDDEN_ADDRESS,
  })
}

function notFound(name: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${name} has no address`), { code: 'ENOTFOUND' })
}

function discard(socket: Socket): void {
  socket.on('error', () => {})
  socket.destroy()
}
