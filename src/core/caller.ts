import type { ServiceTier } from './limits.ts'

/** Who asks. Tiers are the caller's own, an agent's its owner's. */
export type Caller =
  | { readonly kind: 'anonymous'; readonly address: string }
  | { readonly kind: 'owner'; readonly ownerId: string; readonly tier: ServiceTier }
  | {
      readonly kind: 'agent'
      readonly agentId: string
      readonly ownerId: string
      readonly tier: ServiceTier
    }
  | {
      readonly kind: 'platform'
      readonly platformId: string
      /** The owner who runs the platform, if one does: on his agents it weighs as a self-report. */
      readonly ownerId: string | null
      readonly tier: ServiceTier
      /** Ed25519, as JWK `x`; null where the platform does not sign its requests. */
      readonly publicKey: string | null
    }
  | { readonly kind: 'operator'; readonly operatorId: string }

export type CallerKind = Caller['kind']
export type CallerOf<K extends CallerKind> = Extract<Caller, { kind: K }>

/** A name for the caller that no other has: the scope of its limits and idempotency keys. */
export function principalOf(caller: Caller): string {
  switch (caller.kind) {
    case 'anonymous':
      return `anonymous:${caller.address}`
    case 'owner':
      return `owner:${caller.ownerId}`
    case 'agent':
      return `agent:${caller.agentId}`
    case 'platform':
      return `platform:${caller.platformId}`
    case 'operator':
      return `operator:${caller.operatorId}`
  }
}
