import { forbidden, type TrustError } from '../domain/error.ts'

/** The answer to every credential of an account that the operator suspended, its agents' included. */
export function suspendedAccount(): TrustError {
  return forbidden('this account is suspended; ask the operator of this service', {
    reason: 'owner_suspended',
  })
}
