import type { ServiceTier } from './limits.ts'
import { type Mode, modeOf } from './mode.ts'
import type { Permission } from './permission.ts'

/** The identity behind a request. An agent has the tier of its owner. */
export type Caller =
  | { readonly kind: 'anonymous'; readonly address: string }
  | {
      readonly kind: 'owner'
      readonly ownerId: string
      readonly tier: ServiceTier
      /** The person who signed in, or the API key of the account. */
      readonly by: AccountUser
      readonly permissions: readonly Permission[]
    }
  | {
      readonly kind: 'agent'
      readonly agentId: string
      readonly ownerId: string
      readonly tier: ServiceTier
    }
  | {
      readonly kind: 'platform'
      readonly platformId: string
      /** The owner who runs the platform, if one does: about the owner's agents it weighs as a self-report. */
      readonly ownerId: string | null
      /** The test account of the owner who created it, if it is a test platform of one. */
      readonly testAccountId?: string | null
      readonly tier: ServiceTier
      /** Ed25519, as JWK `x`; null where the platform does not sign its requests. */
      readonly publicKey: string | null
      /** The key before it, good until it expires. */
      readonly previousKey: { readonly publicKey: string; readonly expiresAt: number } | null
      /** Whether the operator verified it. */
      readonly verified: boolean
      /** Whether its reports are taken only with a signature. */
      readonly requireAttestation: boolean
    }
  | {
      readonly kind: 'operator'
      readonly operatorId: string
      /** The mode whose lists it requests; live by default. */
      readonly mode?: Mode
    }

/** Who uses an account: a member's id is the account's own for the person who opened it. */
export type AccountUser =
  | { readonly kind: 'member'; readonly id: string; readonly sessionId: string }
  | { readonly kind: 'key'; readonly id: string }

export type CallerKind = Caller['kind']
export type CallerOf<K extends CallerKind> = Extract<Caller, { kind: K }>

/** The mode that a caller is in: that of its key, or the one it asked for. */
export function modeOfCaller(caller: Caller): Mode {
  switch (caller.kind) {
    case 'anonymous':
      return 'live'
    case 'owner':
      return modeOf(caller.ownerId)
    case 'agent':
      return modeOf(caller.agentId)
    case 'platform':
      return modeOf(caller.platformId)
    case 'operator':
      return caller.mode ?? 'live'
  }
}

/** A name for the caller that no other has: the scope of its limits and idempotency keys. */
export function principalOf(caller: Caller): string {
  switch (caller.kind) {
    case 'anonymous':
      return `anonymous:${caller.address}`
    case 'owner':
      return `owner:${caller.ownerId}:${caller.by.kind}:${caller.by.id}`
    case 'agent':
      return `agent:${caller.agentId}`
    case 'platform':
      return `platform:${caller.platformId}`
    case 'operator':
      return `operator:${caller.operatorId}`
  }
}

/** The account that a caller's requests count for, with its tier. */
export interface Account {
  readonly name: string
  readonly tier: ServiceTier
}

/**
 * The account a caller belongs to; null for the operator, who has no limits. An owner and all of the
 * owner's agents are one: registering agents multiplies no quota of lookups.
 */
export function accountOf(caller: Caller): Account | null {
  switch (caller.kind) {
    case 'anonymous':
      return { name: `anonymous:${caller.address}`, tier: 'free' }
    case 'owner':
    case 'agent':
      return { name: `owner:${caller.ownerId}`, tier: caller.tier }
    case 'platform':
      return { name: `platform:${caller.platformId}`, tier: caller.tier }
    case 'operator':
      return null
  }
}

/**
 * The account that a caller's requests count for. All agents of an owner share one of their own, so that
 * no agent can lock its owner out.
 */
export function requestAccountOf(caller: Caller): Account | null {
  return caller.kind === 'agent'
    ? { name: `agents of owner:${caller.ownerId}`, tier: caller.tier }
    : accountOf(caller)
}

/**
 * The account that a caller's stored responses count for. The test platforms of an owner share that of the test
 * account: an owner may create ten of them.
 */
export function storageAccountOf(caller: Caller): Account | null {
  return caller.kind === 'platform' && caller.testAccountId
    ? { name: `owner:${caller.testAccountId}`, tier: caller.tier }
    : requestAccountOf(caller)
}

/** The name of the account that a caller's requests count for; that of the caller where there is no account. */
export function accountNameOf(caller: Caller): string {
  return accountOf(caller)?.name ?? principalOf(caller)
}
