import { isIP } from 'node:net'
import { type AddressPolicy, isAllowedAddress, isListedAddress } from './address.ts'

export type UrlCheck =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly message: string }

/** Longer URLs fail in proxies and servers on the way, and at the limits of receivers. */
const URL_CHARS_MAX = 2048

/** RFC 1035, 2.3.4. */
export const NAME_CHARS_MAX = 253
export const LABEL_CHARS_MAX = 63

/**
 * Names that mean another machine in every network, so they are not public:
 * RFC 6762 (local, and the private ones of its appendix G), RFC 8375 (home.arpa), ICANN (internal).
 */
const PRIVATE_SUFFIXES = [
  'corp',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'lan',
  'local',
  'localdomain',
  'private',
]

/** Names of cloud metadata services, whose addresses can never be allowed. */
const METADATA_NAMES = ['metadata.google.internal', 'instance-data.ec2.internal']

/** The problem of a URL that the operator may allow. */
export const NOT_PUBLIC = 'must be a public host'

/**
 * Whether this URL may be called, and the form to store: as the WHATWG parser writes it,
 * with one spelling for each numeric address. Only the text is checked here; every connection is checked
 * again on the address that it reaches (connect.ts). `message` is for the caller.
 */
export function checkPublicUrl(text: string, policy: AddressPolicy): UrlCheck {
  if (text.length > URL_CHARS_MAX) {
    return refuse(`must have at most ${URL_CHARS_MAX} characters`)
  }
  if (!URL.canParse(text)) {
    return refuse('must be a valid URL')
  }
  const url = new URL(text)
  const message = formProblem(url) ?? hostProblem(url, policy)
  return message === null ? { ok: true, url: url.href } : refuse(message)
}

/** Loopback by definition (RFC 6761, 6.3): never resolved. */
export function isLocalhostName(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost')
}

function refuse(message: string): UrlCheck {
  return { ok: false, message }
}

function formProblem(url: URL): string | null {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    return 'must be an https URL'
  }
  if (url.href.length > URL_CHARS_MAX) {
    return `must have at most ${URL_CHARS_MAX} characters`
  }
  if (url.username !== '' || url.password !== '') {
    return 'must not carry a user name or password'
  }
  if (url.href.includes('#')) {
    return 'must not have a fragment'
  }
  if (url.protocol === 'http:' && url.port === HTTPS_PORT) {
    return 'must be an https URL: port 443 belongs to https'
  }
  return isWebPort(url.port) ? null : PORT_MESSAGE
}

/** A server of https that is asked in plain text does not understand the request. */
const HTTPS_PORT = '443'

/** Below these the ports belong to services of the system: SSH, mail, DNS. */
const PORT_MIN = 1_024

/** Ports where another protocol listens that would take a request as its own. */
const OTHER_PROTOCOLS: readonly number[] = [
  // Databases, caches and queues.
  ...[1433, 1521, 3306, 5432, 5433, 5672, 6379, 6432, 7000, 7687, 9042, 9092, 11211, 27017],
  // What controls machines: Docker, etcd, Kubernetes, WinRM, remote desktops.
  ...[2375, 2376, 2379, 2380, 3389, 5900, 5985, 5986, 6443, 10250, 10255],
  // Those that browsers do not connect to (Fetch standard, "bad port").
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668],
  ...[6669, 6679, 6697, 10080],
]

const PORT_MESSAGE =
  'must use port 443 or one from 1024 on, and none that belongs to another protocol'

/** The port as the parser writes it: empty where it is the protocol's own. */
function isWebPort(port: string): boolean {
  const number = Number(port)
  return port === '' || (number >= PORT_MIN && !OTHER_PROTOCOLS.includes(number))
}

function hostProblem(url: URL, policy: AddressPolicy): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPlain = url.protocol === 'http:'
  if (isIP(host) !== 0) {
    return addressProblem(host, isPlain, policy)
  }
  return (isPlain ? plainProblem(host, policy) : null) ?? nameProblem(host, policy)
}

function addressProblem(ip: string, isPlain: boolean, policy: AddressPolicy): string | null {
  if (!isAllowedAddress(ip, policy)) {
    return NOT_PUBLIC
  }
  return isPlain && !isListedAddress(ip, policy) ? 'must be an https URL' : null
}

/**
 * Plain http is for addresses that the operator lists. A name may stand for one only if it is a name of
 * a private network; a public name stands for a public address.
 */
function plainProblem(name: string, policy: AddressPolicy): string | null {
  const isOwn = policy.allow.length > 0 && (isLocalhostName(name) || isPrivateName(name))
  return isOwn ? null : 'must be an https URL'
}

/**
 * With an allow-list the operator runs private receivers, under any names of that network. A name is then
 * checked by its addresses only, when it is connected to.
 */
function nameProblem(name: string, policy: AddressPolicy): string | null {
  if (!isHostName(name)) {
    return 'must name a valid host, without a trailing dot'
  }
  if (METADATA_NAMES.includes(name)) {
    return NOT_PUBLIC
  }
  if (isLocalhostName(name)) {
    return allowsLoopback(policy) ? null : NOT_PUBLIC
  }
  if (policy.allow.length > 0) {
    return null
  }
  return isPrivateName(name) ? NOT_PUBLIC : null
}

function isHostName(name: string): boolean {
  const labels = name.split('.')
  return (
    name.length <= NAME_CHARS_MAX &&
    labels.every((label) => label.length > 0 && label.length <= LABEL_CHARS_MAX)
  )
}

function isPrivateName(name: string): boolean {
  return !name.includes('.') || PRIVATE_SUFFIXES.some((suffix) => name.endsWith(`.${suffix}`))
}

function allowsLoopback(policy: AddressPolicy): boolean {
  return isListedAddress('127.0.0.1', policy) || isListedAddress('::1', policy)
}
