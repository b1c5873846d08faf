import type { Store } from '../store.ts'
import { agentStateStore } from './agent-states.ts'
import { agentStore } from './agents.ts'
import { archiveStore } from './archive.ts'
import { auditStore } from './audit.ts'
import { checkpointStore } from './checkpoints.ts'
import { credentialStore } from './credentials.ts'
import { decisionStore } from './decisions.ts'
import { delegationTaskStore } from './delegation-tasks.ts'
import { deliveryStore } from './deliveries.ts'
import { discardStore } from './discards.ts'
import { erasureStore } from './erasures.ts'
import { eventStore } from './events.ts'
import { idempotencyStore } from './idempotency.ts'
import { identifierStore } from './identifiers.ts'
import { installationStore } from './installation.ts'
import { invitationStore } from './invitations.ts'
import { keyStore } from './keys.ts'
import { listenerStore } from './listeners.ts'
import { loginFailureStore } from './login-failures.ts'
import { loginSuccessStore } from './login-successes.ts'
import { mailQueueStore } from './mail-queue.ts'
import { mappingStore } from './mappings.ts'
import { memberStore } from './members.ts'
import { notificationStore } from './notifications.ts'
import { oidcIdentityStore } from './oidc-identities.ts'
import { oneTimeTokenStore } from './one-time-tokens.ts'
import { operatorStore } from './operators.ts'
import { ownerKeyStore } from './owner-keys.ts'
import { ownerStore } from './owners.ts'
import { platformStore } from './platforms.ts'
import { policyStore } from './policies.ts'
import { quarantinedEvidenceStore } from './quarantined-evidence.ts'
import { quotaStore } from './quotas.ts'
import { reporterStore } from './reporters.ts'
import { reviewStore } from './reviews.ts'
import { ruleStore } from './rules.ts'
import type { Session } from './session.ts'
import { sessionStore } from './sessions.ts'
import { signingKeyStore } from './signing-keys.ts'
import { snapshotStore } from './snapshots.ts'
import { statsStore } from './stats.ts'
import { sweep } from './sweep.ts'
import { testDataStore } from './test-data.ts'
import { transferStore } from './transfers.ts'
import { turnStore } from './turns.ts'
import { watchStore } from './watches.ts'
import { webhookStore } from './webhooks.ts'

/** The store of each noun, on one session. */
export function nouns(
  session: Session,
  ingest: Store['events']['ingest'],
  ingestPast = () => ingest,
): Omit<Store, 'transaction'> {
  const { sql } = session
  return {
    owners: ownerStore(session),
    members: memberStore(session),
    oidcIdentities: oidcIdentityStore(session),
    sessions: sessionStore(session),
    ownerKeys: ownerKeyStore(session),
    invitations: invitationStore(session),
    operators: operatorStore(session),
    oneTimeTokens: oneTimeTokenStore(session),
    mailQueue: mailQueueStore(session),
    loginFailures: loginFailureStore(sql),
    loginSuccesses: loginSuccessStore(session),
    agents: agentStore(session),
    identifiers: identifierStore(session),
    keys: keyStore(session),
    platforms: platformStore(session),
    policies: policyStore(session),
    decisions: decisionStore(session),
    mappings: mappingStore(session),
    reporters: reporterStore(session),
    rules: ruleStore(session),
    reviews: reviewStore(session),
    events: { ...eventStore(session), batching: session.batching, ingest, ingestPast },
    agentStates: agentStateStore(session),
    snapshots: snapshotStore(session),
    checkpoints: checkpointStore(sql),
    quarantinedEvidence: quarantinedEvidenceStore(sql),
    credentials: credentialStore(session),
    signingKeys: signingKeyStore(session),
    notifications: notificationStore(session),
    listeners: listenerStore(session),
    webhooks: webhookStore(session),
    transfers: transferStore(session),
    delegationTasks: delegationTaskStore(session),
    watches: watchStore(session),
    deliveries: deliveryStore(session),
    audit: auditStore(session),
    erasures: erasureStore(session),
    discards: discardStore(session),
    archive: archiveStore(sql),
    installation: installationStore(session),
    idempotency: idempotencyStore(session),
    quotas: quotaStore(sql),
    turns: turnStore(sql),
    stats: statsStore(session),
    testData: testDataStore(session),
    sweep: (what, until) => sweep(sql, what, until),
  }
}
