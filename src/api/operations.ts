import { type Operation, operationsOf } from '../http/route.ts'
import { AGENT_SPECS } from './agents/spec.ts'
import { ATTESTATION_SPECS } from './attestations/spec.ts'
import { AUDIT_SPECS } from './audit/spec.ts'
import { AUTHZEN_SPECS } from './authzen/spec.ts'
import { PUBLISHED_SPECS } from './credentials/published-spec.ts'
import { CREDENTIAL_SPECS, REISSUE_SPECS } from './credentials/spec.ts'
import { DECISION_SPECS } from './decisions/spec.ts'
import { ERASURE_SPECS } from './erasure/spec.ts'
import { EVENT_SPECS } from './events/spec.ts'
import { GATE_SPECS } from './gate/spec.ts'
import { HEALTH_SPECS } from './health/spec.ts'
import { IDENTIFIER_SPECS } from './identifiers/spec.ts'
import { IMPORT_SPECS } from './imports/spec.ts'
import { INSTALLATION_SPECS } from './installation/spec.ts'
import { INVITATION_SPECS, OWNER_INVITATION_SPECS } from './invitations/spec.ts'
import { LOOKUP_SPECS } from './lookup/spec.ts'
import { MAPPING_SPECS } from './mappings/spec.ts'
import { MEMBER_SPECS } from './members/spec.ts'
import { OPERATOR_SPECS } from './operator/spec.ts'
import { OPERATORS_SPECS } from './operators/spec.ts'
import { OTLP_SPECS } from './otlp/spec.ts'
import { OWNER_KEY_SPECS } from './owner-keys/spec.ts'
import { LINK_SPECS } from './owners/links-spec.ts'
import { OIDC_SPECS } from './owners/oidc-spec.ts'
import { OWNER_SPECS } from './owners/spec.ts'
import { PLATFORM_SPECS } from './platforms/spec.ts'
import { POLICY_SPECS } from './policies/spec.ts'
import { PROFILE_SPECS } from './profiles/spec.ts'
import { PROOF_SPECS } from './proofs/spec.ts'
import { REVIEW_SPECS } from './reviews/spec.ts'
import { RULE_SPECS } from './rules/spec.ts'
import { EXPLANATION_SPECS, SCORE_SPECS } from './scores/spec.ts'
import { SESSION_SPECS } from './sessions/spec.ts'
import { SIGNING_SPECS } from './signing/spec.ts'
import { TEST_DATA_SPECS } from './test-data/spec.ts'
import { TRANSFER_SPECS } from './transfers/spec.ts'
import { WATCH_SPECS } from './watches/spec.ts'
import { DELIVERY_SPECS } from './webhooks/delivery-spec.ts'
import { LISTENER_SPECS } from './webhooks/listener-spec.ts'
import { WEBHOOK_SPECS } from './webhooks/spec.ts'

/** Every operation as declared, in the order in which the OpenAPI document lists them. */
export const OPERATIONS: readonly Operation[] = [
  OWNER_SPECS,
  LINK_SPECS,
  OIDC_SPECS,
  SESSION_SPECS,
  MEMBER_SPECS,
  INVITATION_SPECS,
  OWNER_INVITATION_SPECS,
  OWNER_KEY_SPECS,
  ERASURE_SPECS,
  AGENT_SPECS,
  TRANSFER_SPECS,
  IDENTIFIER_SPECS,
  LOOKUP_SPECS,
  DECISION_SPECS,
  AUTHZEN_SPECS,
  GATE_SPECS,
  POLICY_SPECS,
  SCORE_SPECS,
  EXPLANATION_SPECS,
  PROFILE_SPECS,
  PROOF_SPECS,
  EVENT_SPECS,
  OTLP_SPECS,
  MAPPING_SPECS,
  CREDENTIAL_SPECS,
  PUBLISHED_SPECS,
  REISSUE_SPECS,
  ATTESTATION_SPECS,
  SIGNING_SPECS,
  PLATFORM_SPECS,
  OPERATOR_SPECS,
  OPERATORS_SPECS,
  INSTALLATION_SPECS,
  IMPORT_SPECS,
  REVIEW_SPECS,
  RULE_SPECS,
  AUDIT_SPECS,
  WEBHOOK_SPECS,
  DELIVERY_SPECS,
  LISTENER_SPECS,
  WATCH_SPECS,
  TEST_DATA_SPECS,
  HEALTH_SPECS,
].flatMap(operationsOf)
