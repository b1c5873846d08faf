import { isIP } from 'node:net'
import { firstReason, hostNameReason, portReason, type Reason } from './reasons.ts'

/** Why a text is no DID (DID Core, 3.1), or none of did:web that can be resolved. */
export function didReason(value: string): Reason {
  const reason = firstReason(PATTERNS, value)
  return reason ?? (value.startsWith(DID_WEB) ? webReason(value.slice(DID_WEB.length)) : null)
}

const DID_WEB = 'did:web:'

const PATTERNS = [
  [/#/, 'has a fragment'],
  [/\?/, 'has a query'],
  [/^did:web:.*\//, 'has a path; separate its parts by colons'],
  [/\//, 'has a path'],
  [/%(?![0-9a-f]{2})/i, 'has a % that no two hexadecimal digits follow'],
  [/:$/, 'ends with a colon'],
] as const

/** The method encodes the colon before a port. Whether a host may be an address is not known here. */
function webReason(id: string): Reason {
  const [host = '', ...path] = id.split(':')
  const [, name = '', port] = /^(.*?)(?:%3a(.*))?$/i.exec(host) ?? []
  if (name.includes('%')) {
    return 'has percent-encoding in its host name; only the colon before a port has it (%3A)'
  }
  const ofName = isIP(name) === 0 ? hostNameReason(name) : null
  return ofName ?? portReason(port) ?? pathReason(path)
}

/** Parts that a URL does not keep: another document would be read. */
function pathReason(path: readonly string[]): Reason {
  for (const segment of path) {
    if (segment === '') {
      return 'has an empty path segment: two colons in a row'
    }
    const dots = segment.replaceAll(/%2e/gi, '.')
    if (dots === '.' || dots === '..') {
      return `has the path segment ${dots}`
    }
  }
  return null
}
