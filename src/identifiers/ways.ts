import type { Identifier, ProofMethod } from '../domain/identifier.ts'
import { hostNameOf } from './kind.ts'
import { KINDS } from './kinds.ts'
import { CHALLENGE_LABEL, CHALLENGE_PATH, hasRecords } from './places.ts'

export interface Way {
  readonly method: ProofMethod
  /** A URL, the name of a TXT record, or who signs. */
  readonly location: string
}

/** Each way in which a challenge proves a name. */
export function waysToProve({ type, value }: Pick<Identifier, 'type' | 'value'>): readonly Way[] {
  const kind = KINDS[type]
  const host = kind.hostOf(value)
  const signer = kind.signerIn(value)
  const places: readonly Way[] =
    host === null ? [] : [{ method: 'well_known', location: `https://${host}${CHALLENGE_PATH}` }]
  const records: readonly Way[] =
    host !== null && hasRecords(host)
      ? [{ method: 'dns', location: `${CHALLENGE_LABEL}.${hostNameOf(host)}` }]
      : []
  const signed: readonly Way[] = signer === null ? [] : [{ method: 'signature', location: signer }]
  return [...places, ...records, ...signed]
}
