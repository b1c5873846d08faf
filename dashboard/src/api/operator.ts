import { call } from './client.ts'
import { type LoadPage, pagesAt } from './pages.ts'
import type {
  Agent,
  AuditEntry,
  Owner,
  Platform,
  ReviewItem,
  RotatedKey,
  Rule,
  RuleMode,
  ServiceTier,
  SigningKey,
  TrustEvent,
} from './types.ts'

export interface ReviewFilter {
  readonly rule?: string | undefined
  readonly agentId?: string | undefined
  readonly reporterId?: string | undefined
}

export type ReviewDecision = 'released' | 'upheld'

export function listReviews(filter: ReviewFilter): LoadPage<ReviewItem> {
  return pagesAt('/v1/operator/reviews', { ...filter })
}

export function listFindings(rule: string): LoadPage<ReviewItem> {
  return pagesAt('/v1/operator/findings', { rule })
}

export function reviewEvent(
  id: string,
  body: { readonly decision: ReviewDecision; readonly reason: string },
  keepalive: boolean,
): Promise<TrustEvent> {
  return call('POST', `/v1/operator/events/${id}/review`, { body, keepalive })
}

/** Decides on all that match, 100 at a time as the service does it. */
export async function reviewAll(
  body: ReviewFilter & { readonly decision: ReviewDecision; readonly reason: string },
): Promise<number> {
  let reviewed = 0
  for (;;) {
    const answer = await call<{ reviewed: number; more: boolean }>(
      'POST',
      '/v1/operator/reviews/bulk',
      { body },
    )
    reviewed += answer.reviewed
    if (!answer.more || answer.reviewed === 0) {
      return reviewed
    }
  }
}

export const listPlatforms = pagesAt<Platform>('/v1/operator/platforms')

export function createPlatform(body: {
  readonly name: string
  readonly tier: ServiceTier
  readonly publicKey: string | null
  readonly verified: boolean
}): Promise<Platform & { readonly apiKey: string }> {
  return call('POST', '/v1/operator/platforms', { body })
}

export function updatePlatform(
  id: string,
  body: Partial<
    Pick<Platform, 'name' | 'tier' | 'status' | 'requireAttestation' | 'publicKey' | 'verified'>
  >,
): Promise<Platform> {
  return call('PATCH', `/v1/operator/platforms/${id}`, { body })
}

export function discardReports(id: string, reason: string): Promise<unknown> {
  return call('POST', `/v1/operator/platforms/${id}/discard`, { body: { reason } })
}

export function rotatePlatformKey(id: string, overlapSeconds: number): Promise<RotatedKey> {
  return call('POST', `/v1/operator/platforms/${id}/rotate-key`, { body: { overlapSeconds } })
}

export function listOwners(email: string | undefined): LoadPage<Owner> {
  return pagesAt('/v1/operator/owners', { email })
}

export function setOwnerTier(id: string, tier: ServiceTier): Promise<Owner> {
  return call('PATCH', `/v1/operator/owners/${id}`, { body: { tier } })
}

export function setAgentStatus(
  id: string,
  body: { readonly status: 'active' | 'suspended'; readonly reason: string },
): Promise<Agent> {
  return call('PATCH', `/v1/operator/agents/${id}`, { body })
}

export const listRules = pagesAt<Rule>('/v1/operator/rules')

export function updateRule(
  id: string,
  body: { readonly mode?: RuleMode; readonly threshold?: number | null },
): Promise<Rule> {
  return call('PATCH', `/v1/operator/rules/${id}`, { body })
}

export const listAudit = pagesAt<AuditEntry>('/v1/operator/audit')

export const listSigningKeys = pagesAt<SigningKey>('/v1/operator/keys')

export function rotateSigningKey(purpose: SigningKey['purpose']): Promise<SigningKey> {
  return call('POST', '/v1/operator/keys/rotate', { body: { purpose } })
}

export function revokeSigningKey(kid: string, reason: string): Promise<SigningKey> {
  return call('POST', `/v1/operator/keys/${kid}/revoke`, { body: { reason } })
}

export async function readiness(signal: AbortSignal): Promise<string> {
  return (await call<{ status: string }>('GET', '/readyz', { signal })).status
}

export function metrics(signal: AbortSignal): Promise<string> {
  return call('GET', '/metrics', { signal })
}
