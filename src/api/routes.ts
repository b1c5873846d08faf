import type { Route } from '../http/route.ts'
import { type AgentDeps, agentRoutes } from './agents/handlers.ts'
import { type AttestationDeps, attestationRoutes } from './attestations/handlers.ts'
import { auditRoutes } from './audit/handlers.ts'
import { type AuthZenDeps, authZenRoutes } from './authzen/handlers.ts'
import { type CredentialDeps, credentialRoutes, reissueRoutes } from './credentials/handlers.ts'
import { type PublishedDeps, publishedRoutes } from './credentials/published.ts'
import { type DecisionDeps, decisionRoutes } from './decisions/handlers.ts'
import { type ErasureDeps, erasureRoutes } from './erasure/handlers.ts'
import { type EventDeps, eventRoutes } from './events/handlers.ts'
import { type GateDeps, gateRoutes } from './gate/handlers.ts'
import { type HealthDeps, healthRoutes } from './health/handlers.ts'
import { type IdentifierDeps, identifierRoutes } from './identifiers/handlers.ts'
import { type ImportRouteDeps, importRoutes } from './imports/handlers.ts'
import { type InstallationDeps, installationRoutes } from './installation/handlers.ts'
import { type InvitationDeps, invitationRoutes } from './invitations/handlers.ts'
import { type LookupDeps, lookupRoutes } from './lookup/handlers.ts'
import { type MappingDeps, mappingRoutes } from './mappings/handlers.ts'
import { type MemberDeps, memberRoutes } from './members/handlers.ts'
import { type OperatorDeps, operatorRoutes } from './operator/handlers.ts'
import { operatorsRoutes } from './operators/handlers.ts'
import { type OtlpDeps, otlpRoutes } from './otlp/handlers.ts'
import { ownerKeyRoutes } from './owner-keys/handlers.ts'
import { ownerRoutes } from './owners/handlers.ts'
import { type LinkDeps, linkRoutes } from './owners/links.ts'
import { type OidcDeps, oidcApiRoutes } from './owners/oidc.ts'
import { platformRoutes } from './platforms/handlers.ts'
import { type PolicyDeps, policyRoutes } from './policies/handlers.ts'
import { type ProfileDeps, profileRoutes } from './profiles/handlers.ts'
import { type ProofDeps, proofRoutes } from './proofs/handlers.ts'
import { type ReviewDeps, reviewRoutes } from './reviews/handlers.ts'
import { type RuleDeps, ruleRoutes } from './rules/handlers.ts'
import { type ExplanationDeps, explanationRoutes } from './scores/explanation.ts'
import { type ScoreDeps, scoreRoutes } from './scores/handlers.ts'
import { type SessionDeps, sessionRoutes } from './sessions/handlers.ts'
import { type SigningDeps, signingRoutes } from './signing/handlers.ts'
import { testDataRoutes } from './test-data/handlers.ts'
import { type TransferDeps, transferRoutes } from './transfers/handlers.ts'
import { watchRoutes } from './watches/handlers.ts'
import { deliveryRoutes } from './webhooks/delivery-handlers.ts'
import { type WebhookDeps, webhookRoutes } from './webhooks/handlers.ts'
import { listenerRoutes } from './webhooks/listener-handlers.ts'

/** What the handlers of all operations work with. */
export type ApiDeps = LinkDeps &
  OidcDeps &
  InvitationDeps &
  ErasureDeps &
  SessionDeps &
  MemberDeps &
  AgentDeps &
  TransferDeps &
  OperatorDeps &
  ScoreDeps &
  ProfileDeps &
  ProofDeps &
  Pick<ExplanationDeps, 'folds'> &
  EventDeps &
  OtlpDeps &
  MappingDeps &
  CredentialDeps &
  PublishedDeps &
  AttestationDeps &
  ReviewDeps &
  RuleDeps &
  IdentifierDeps &
  LookupDeps &
  DecisionDeps &
  AuthZenDeps &
  GateDeps &
  PolicyDeps &
  WebhookDeps &
  ImportRouteDeps &
  SigningDeps &
  InstallationDeps &
  HealthDeps

/** Every operation with its handler; each noun is given all, and takes what it needs. */
export function routesOf(deps: ApiDeps): readonly Route[] {
  return [
    ownerRoutes,
    linkRoutes,
    oidcApiRoutes,
    sessionRoutes,
    memberRoutes,
    invitationRoutes,
    ownerKeyRoutes,
    erasureRoutes,
    agentRoutes,
    transferRoutes,
    identifierRoutes,
    lookupRoutes,
    decisionRoutes,
    authZenRoutes,
    gateRoutes,
    policyRoutes,
    scoreRoutes,
    explanationRoutes,
    profileRoutes,
    proofRoutes,
    eventRoutes,
    otlpRoutes,
    mappingRoutes,
    credentialRoutes,
    publishedRoutes,
    reissueRoutes,
    attestationRoutes,
    signingRoutes,
    platformRoutes,
    operatorRoutes,
    operatorsRoutes,
    installationRoutes,
    importRoutes,
    reviewRoutes,
    ruleRoutes,
    auditRoutes,
    webhookRoutes,
    deliveryRoutes,
    listenerRoutes,
    watchRoutes,
    testDataRoutes,
    healthRoutes,
  ].flatMap((routes: (deps: ApiDeps) => readonly Route[]) => routes(deps))
}
