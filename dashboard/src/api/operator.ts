import { call } from './client.ts'
import type {
  Agent,
  AuditEntry,
  Owner,
  Page,
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

export function listReviews(
  filter: ReviewFilter,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<ReviewItem>> {
  return call('GET', '/v1/operator/reviews', { query: { ...filter, cursor }, signal })
}

export function listFindings(
  rule: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<ReviewItem>> {
  return call('GET', '/v1/operator/findings', { query: { rule, cursor }, signal })
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

export function listPlatforms(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Platform>> {
  return call('GET', '/v1/operator/platforms', { query: { cursor }, signal })
}

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

export function listOwners(
  email: string | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Owner>> {
  return call('GET', '/v1/operator/owners', { query: { email, cursor }, signal })
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

export function listRules(cursor: string | undefined, signal: AbortSignal): Promise<Page<Rule>> {
  return call('GET', '/v1/operator/rules', { query: { cursor }, signal })
}

export function updateRule(
  id: string,
  body: { readonly mode?: RuleMode; readonly threshold?: number | null },
): Promise<Rule> {
  return call('PATCH', `/v1/operator/rules/${id}`, { body })
}

export function listAudit(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<AuditEntry>> {
  return call('GET', '/v1/operator/audit', { query: { cursor }, signal })
}

export function listSigningKeys(
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<SigningKey>> {
  return call('GET', '/v1/operator/keys', { query: { cursor }, signal })
}

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
