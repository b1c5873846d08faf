import { createHmac } from 'node:crypto'
import type { Vault } from '../lib/vault.ts'

/** Bytes of a name: no two of an installation's counterparties are alike by chance. */
const NAME_BYTES = 16

/**
 * Names the other party of a payment without storing who it is: the same text gives the same name, and
 * only the installation's key leads from one to the other.
 */
export function createCounterpartyNames(vault: Pick<Vault, 'key'>): (text: string) => string {
  const key = vault.key('counterparties')
  return (text) =>
    createHmac('sha256', key).update(text).digest().subarray(0, NAME_BYTES).toString('base64url')
}
