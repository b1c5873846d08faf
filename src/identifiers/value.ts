import { isIP } from 'node:net'
import { invalidField } from '../domain/error.ts'
import type { IdentifierType } from '../domain/identifier.ts'
import { type AddressPolicy, isListedAddress } from '../outbound/address.ts'
import { checkPublicUrl, NOT_PUBLIC } from '../outbound/url.ts'
import { hasGoodChecksum } from './account.ts'
import { canonicalIdentifier } from './canonical.ts'
import { hostNameOf, type Kind } from './kind.ts'
import { KINDS } from './kinds.ts'
import { labelReason, type Reason } from './reasons.ts'

/**
 * The canonical spelling of a name that is claimed. Only new claims are checked: those that are stored stay.
 * @throws TrustError VALIDATION_ERROR with the reason, and the form that the type has
 */
export function checkedValue(addresses: AddressPolicy, type: IdentifierType, text: string): string {
  const kind = KINDS[type]
  const value = canonicalIdentifier(text)
  const reason = kind.reasonAgainst?.(value, text) ?? null
  if (reason !== null) {
    throw invalidField('value', `${reason}; it ${kind.form}`)
  }
  if (!kind.isValue(value)) {
    throw invalidField('value', kind.form)
  }
  const ofHost = hostReason(kind, value, addresses)
  if (ofHost !== null) {
    throw invalidField('value', `${ofHost}; it ${kind.form}`)
  }
  if (/^eip155:/.test(value) && !hasGoodChecksum(text.split(':')[2] ?? '')) {
    throw invalidField(
      'value',
      'has an address whose checksum (EIP-55) is wrong; check for a typing error',
    )
  }
  const url = kind.urlOf(value)
  const ofAddress = url === null ? null : addressReason(url, addresses)
  if (ofAddress !== null) {
    throw invalidField('value', ofAddress, 'address_not_allowed')
  }
  return value
}

/** A host that can have no name in DNS proves nothing. */
function hostReason(kind: Kind, value: string, addresses: AddressPolicy): Reason {
  const name = hostNameOf(kind.hostOf(value) ?? '')
  if (isAddress(name)) {
    // did:web names hosts by DNS, which the operator's own network may lack.
    return kind.type === 'did' && !isListedAddress(name, addresses) ? 'is an IP address' : null
  }
  return name === '' ? null : labelReason(name)
}

/** Why no proof can be fetched from there: by https or, within the operator's own network, by http. */
function addressReason(url: string, addresses: AddressPolicy): Reason {
  const check = checkPublicUrl(url, addresses)
  if (check.ok || checkPublicUrl(url.replace(/^https:/, 'http:'), addresses).ok) {
    return null
  }
  return check.message === NOT_PUBLIC ? `${placeOf(url)}; ${WHERE}` : check.message
}

const WHERE = 'its proof must be on a public host, such as agent.example.com'

function placeOf(url: string): string {
  const { hostname } = new URL(url)
  if (isAddress(hostname)) {
    return `is at an IP address that is not public (${hostname})`
  }
  return hostname.includes('.')
    ? `is on a host that is not public (${hostname})`
    : `has no dot in its host name (${hostname}), so it is not public`
}

function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || isIP(hostname) !== 0
}
