import { isIP } from 'node:net'
import { type Kind, NO_KEYS } from '../kind.ts'
import { firstReason, hostNameReason, portReason, type Reason } from '../reasons.ts'

/** A DNS name, such as that of the agent's own host. */
export const DOMAIN: Kind = {
  type: 'domain',
  form: 'must be a host name, such as agent.example.com',
  reasonAgainst: domainReason,
  isValue: (value) => /^[a-z0-9.-]+(:\d{1,5})?$/.test(value),
  urlOf: (value) => `https://${value}/`,
  hostOf: (value) => value,
  signerIn: () => null,
  read: async () => NO_KEYS,
  isKeyPublished: () => false,
}

const PATTERNS = [
  [/:\/\//, 'has a scheme (https://)'],
  [/@/, 'has a user name'],
  [/[/?#]/, 'has a path, a query or a fragment'],
  [/^\[/, 'is an IP address'],
] as const

function domainReason(value: string): Reason {
  const [, name = '', port] = /^([^:]*)(?::(.*))?$/s.exec(value) ?? []
  const ofText = isIP(value) === 0 ? firstReason(PATTERNS, value) : 'is an IP address'
  return ofText ?? hostNameReason(name) ?? portReason(port)
}
