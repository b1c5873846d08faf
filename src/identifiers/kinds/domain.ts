import { isIP } from 'node:net'
import { type Kind, NO_KEYS } from '../kind.ts'

/** A DNS name, such as that of the agent's own host. */
export const DOMAIN: Kind = {
  type: 'domain',
  form: 'must be a host name, such as agent.example.com',
  example: 'agent.example.com',
  isValue: (value) =>
    /^[a-z0-9.-]+(:\d{1,5})?$/.test(value) && isIP(value.split(':')[0] ?? '') === 0,
  urlOf: (value) => `https://${value}/`,
  hostOf: (value) => value,
  signerIn: () => null,
  read: async () => NO_KEYS,
  isKeyPublished: () => false,
}
