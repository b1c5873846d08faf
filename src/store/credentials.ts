import type { Credential, CredentialStatus, Signature } from '../domain/credential.ts'
import type { StatusPurpose } from '../domain/verifiable-credential.ts'
import type { ById, Counted, Listed, Rows } from './rows.ts'

/** The credentials of an agent, of any status by default. */
export interface CredentialsOf {
  readonly agentId: string
  readonly status?: CredentialStatus | undefined
  /** The time that `status` refers to: the same for every page. */
  readonly asOf: number
}

/** One credential, all of an agent, or an agent's score credentials that claim more than a score. */
export type RevocationTarget =
  | { readonly id: string }
  | { readonly agentId: string; readonly above?: number }

export interface Revocation {
  readonly at: number
  readonly reason: string | null
}

/** The credentials of an agent that are neither revoked nor, at this time, expired; counted up to `max`. */
export interface LivingCredentials {
  readonly agentId: string
  readonly at: number
  readonly max: number
}

/**
 * An insert throws, so that the transaction runs again, when its place in the status list was taken. A credential
 * that claims a score raises the agent's credential floor.
 */
export interface CredentialStore
  extends Pick<Rows<Credential, ById>, 'insert' | 'find'>,
    Counted<LivingCredentials>,
    Listed<Credential, CredentialsOf> {
  /** The status list that new credentials get, and which of these indexes are free in it. */
  freeIndexes(indexes: readonly number[]): Promise<{ list: number; free: readonly number[] }>
  /** Revokes those in force and returns them. It sets the agent's credential floor again. */
  revoke(target: RevocationTarget, by: Revocation): Promise<readonly Credential[]>
  /** The bits that are set in a status list; null when there is no such list. */
  bits(list: number, purpose: StatusPurpose): Promise<readonly number[] | null>
  /** Signs again the first credentials in force, by id, that another key or another issuer than this has signed. */
  resign(
    than: Pick<Signature, 'issuer' | 'kid'>,
    { now, limit }: { readonly now: number; readonly limit: number },
    sign: (credential: Credential) => Promise<Signature>,
  ): Promise<{ readonly signed: number; readonly more: boolean }>
}
