import { forbidden, type TrustError } from '../domain/error.ts'

/** The answer to every credential of an account that the operator suspended, its agents' included. */
export function suspendedAccount(): TrustError {
  return suspended('account', 'owner_suspended')
}

/** The answer to every key of a platform that the operator suspended, and to what its senders sign. */
export function suspendedPlatform(): TrustError {
  return suspended('platform', 'platform_suspended')
}

function suspended(what: string, reason: string): TrustError {
  return forbidden(`this ${what} is suspended; ask the operator of this service`, { reason })
}
