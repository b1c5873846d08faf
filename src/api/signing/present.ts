import { ALGORITHM, absoluteKid, publicJwk } from '../../signing/keys.ts'
import type { Halt } from '../../store/installation.ts'
import type { SigningKeyRow } from '../../store/store.ts'
import { time, timeOrNull } from '../wire.ts'

/** A public key as a JWK Set lists it. */
export function presentJwk(did: string, key: SigningKeyRow) {
  return {
    ...publicJwk(key),
    kid: absoluteKid(did, key.kid),
    use: 'sig' as const,
    alg: ALGORITHM,
  }
}

export function presentKey(key: SigningKeyRow) {
  const { kid, purpose, publicKey, createdAt, retiredAt, revokedAt } = key
  const retired = retiredAt === null ? 'active' : 'retired'
  return {
    kid,
    purpose,
    publicKey,
    status: revokedAt === null ? retired : 'revoked',
    createdAt: time(createdAt),
    retiredAt: timeOrNull(retiredAt),
    revokedAt: timeOrNull(revokedAt),
  }
}

export function presentIssuing(halt: Halt | null) {
  return { halted: halt && { ...halt, at: time(halt.at) } }
}
