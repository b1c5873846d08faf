import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import { unexpectedResponse } from '../error.ts'
import { jsonOf } from '../json.ts'
import type { CredentialKind } from '../options.ts'
import type { Listing } from '../page.ts'
import type {
  Agent,
  AgentStatusChange,
  AuditEntry,
  Backups,
  BulkReview,
  BulkReviewInput,
  Calibration,
  Discard,
  DiscardInput,
  Erasure,
  EventRecord,
  FraudRule,
  FraudRulePatch,
  FraudRuleWithFindings,
  Invitation,
  InvitationWithLink,
  Issuing,
  Jobs,
  KeyRotation,
  ListQuery,
  ManagedOwner,
  NamedOperator,
  NamedOperatorWithKey,
  OwnerPatch,
  OwnerQuery,
  Platform,
  PlatformInput,
  PlatformPatch,
  PlatformWithKey,
  ResetLink,
  Resistance,
  ReviewInput,
  ReviewItem,
  ReviewQuery,
  RotatedKey,
  ServiceKey,
  SigningPurpose,
  Tier,
} from '../types.ts'
import { path } from '../url.ts'

export type Operator = ReturnType<typeof operatorCalls>

const OPERATOR: readonly CredentialKind[] = ['operatorKey']

/** For the operator, who runs the service. */
export function operatorCalls(calls: Calls) {
  return {
    ...platformCalls(calls),
    ...accountCalls(calls),
    ...operatorKeyCalls(calls),
    ...reviewCalls(calls),
    ...installationCalls(calls),
    ...signingCalls(calls),
  }
}

/** Platforms, and the agents of all owners. */
function platformCalls({ list, patch, post }: Calls) {
  return {
    /** The answer alone carries the platform's `apiKey`. */
    createPlatform: (input: PlatformInput, options?: WriteOptions): Promise<PlatformWithKey> =>
      post('/v1/operator/platforms', OPERATOR, input, options),
    listPlatforms: (query?: ListQuery, options?: CallOptions): Listing<Platform> =>
      list('/v1/operator/platforms', OPERATOR, query, options),
    updatePlatform: (
      id: string,
      changes: PlatformPatch,
      options?: WriteOptions,
    ): Promise<Platform> => patch(path`/v1/operator/platforms/${id}`, OPERATOR, changes, options),
    /** The answer alone carries the new key; the old one works on for a while. */
    rotatePlatformKey: (
      id: string,
      input?: KeyRotation,
      options?: WriteOptions,
    ): Promise<RotatedKey> =>
      post(path`/v1/operator/platforms/${id}/rotate-key`, OPERATOR, input, options),
    /** Everything that the platform reported until now counts no longer. It cannot be undone. */
    discardReports: (id: string, input: DiscardInput, options?: WriteOptions): Promise<Discard> =>
      post(path`/v1/operator/platforms/${id}/discard`, OPERATOR, input, options),
    setAgentStatus: (
      id: string,
      change: AgentStatusChange,
      options?: WriteOptions,
    ): Promise<Agent> => patch(path`/v1/operator/agents/${id}`, OPERATOR, change, options),
  }
}

/** Accounts of owners, and how people get into them. */
function accountCalls({ list, patch, post, read, readText, remove }: Calls) {
  return {
    listOwners: (query?: OwnerQuery, options?: CallOptions): Listing<ManagedOwner> =>
      list('/v1/operator/owners', OPERATOR, query, options),
    /** While an owner is suspended, no credential of the account and of its agents works. */
    updateOwner: (id: string, changes: OwnerPatch, options?: WriteOptions): Promise<ManagedOwner> =>
      patch(path`/v1/operator/owners/${id}`, OPERATOR, changes, options),
    setOwnerTier: (id: string, tier: Tier, options?: WriteOptions): Promise<ManagedOwner> =>
      patch(path`/v1/operator/owners/${id}`, OPERATOR, { tier }, options),
    /** Everything about an owner and its agents, one JSON object a line. */
    exportOwner: (id: string, options?: CallOptions): Promise<string> =>
      readText(path`/v1/operator/owners/${id}/export`, OPERATOR, options),
    /** Erases an owner with its agents permanently; `email` is that of the account. */
    eraseOwner: (id: string, email: string, options?: WriteOptions): Promise<Erasure> =>
      post(path`/v1/operator/owners/${id}/erasure`, OPERATOR, { confirm: email }, options),
    ownerErasure: (id: string, options?: CallOptions): Promise<Erasure> =>
      read(path`/v1/operator/owners/${id}/erasure`, OPERATOR, options),
    /** A link to a new password, for a person who forgot the password. */
    createResetLink: (email: string, options?: WriteOptions): Promise<ResetLink> =>
      post('/v1/operator/password-resets', OPERATOR, { email }, options),
    /** Invites a person to open an account. The answer has the link where the service sends no mail. */
    inviteOwner: (email: string, options?: WriteOptions): Promise<InvitationWithLink> =>
      post('/v1/operator/invitations', OPERATOR, { email }, options),
    listInvitations: (query?: ListQuery, options?: CallOptions): Listing<Invitation> =>
      list('/v1/operator/invitations', OPERATOR, query, options),
    deleteInvitation: (id: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/operator/invitations/${id}`, OPERATOR, options),
  }
}

/** The operators and their keys. */
function operatorKeyCalls({ post, readAll, remove }: Calls) {
  return {
    /** The answer alone carries the operator's `apiKey`. */
    createOperator: (name: string, options?: WriteOptions): Promise<NamedOperatorWithKey> =>
      post('/v1/operator/operators', OPERATOR, { name }, options),
    /** All of them, newest first, those who are revoked too. */
    operators: (options?: CallOptions): Promise<readonly NamedOperator[]> =>
      readAll('/v1/operator/operators', OPERATOR, options),
    /** The answer alone carries the new key; the old one works on for a while. */
    rotateOperatorKey: (
      name: string,
      input?: KeyRotation,
      options?: WriteOptions,
    ): Promise<RotatedKey> =>
      post(path`/v1/operator/operators/${name}/rotate-key`, OPERATOR, input, options),
    /** The key stops working at once. */
    revokeOperator: (name: string, options?: WriteOptions): Promise<NamedOperator> =>
      remove(path`/v1/operator/operators/${name}`, OPERATOR, options),
  }
}

/** The anti-fraud rules, and the events in which they found something. */
function reviewCalls({ list, patch, post, readAll }: Calls) {
  return {
    /** Quarantined events awaiting review, oldest first. */
    reviews: (query?: ReviewQuery, options?: CallOptions): Listing<ReviewItem> =>
      list('/v1/operator/reviews', OPERATOR, query, options),
    /** Events in which a rule found something, quarantined or not, newest first. */
    findings: (query?: ReviewQuery, options?: CallOptions): Listing<ReviewItem> =>
      list('/v1/operator/findings', OPERATOR, query, options),
    /** The oldest hundred of those that await review; call it again while the answer has `more`. */
    reviewAll: (input: BulkReviewInput, options?: WriteOptions): Promise<BulkReview> =>
      post('/v1/operator/reviews/bulk', OPERATOR, input, options),
    /** Released, the event counts from its own time on; upheld, it never does. */
    review: (eventId: string, input: ReviewInput, options?: WriteOptions): Promise<EventRecord> =>
      post(path`/v1/operator/events/${eventId}/review`, OPERATOR, input, options),
    /** The anti-fraud rules, how they are applied, and what they found lately. */
    rules: (options?: CallOptions): Promise<readonly FraudRuleWithFindings[]> =>
      readAll('/v1/operator/rules', OPERATOR, options),
    updateRule: (id: string, changes: FraudRulePatch, options?: WriteOptions): Promise<FraudRule> =>
      patch(path`/v1/operator/rules/${id}`, OPERATOR, changes, options),
  }
}

/** What the service does, and did. */
function installationCalls({ list, read, readText }: Calls) {
  return {
    /** The background jobs of the process that responds, and the work that waits. */
    jobs: (options?: CallOptions): Promise<Jobs> => read('/v1/operator/jobs', OPERATOR, options),
    /** The latest backup by `standing backup`. */
    backups: (options?: CallOptions): Promise<Backups> =>
      read('/v1/operator/backups', OPERATOR, options),
    /** Scores of 30 days ago, and what happened since. */
    calibration: (options?: CallOptions): Promise<Calibration> =>
      read('/v1/operator/calibration', OPERATOR, options),
    /** What established platforms that lie would do to the scores, and what attacks cost here. */
    resistance: (options?: CallOptions): Promise<Resistance> =>
      read('/v1/operator/resistance', OPERATOR, options),
    /** Who did what, when. */
    audit: (query?: ListQuery, options?: CallOptions): Listing<AuditEntry> =>
      list('/v1/operator/audit', OPERATOR, query, options),
    /**
     * The whole log, oldest first, after the entry with the number `after`. Each entry carries the hash
     * of the one before, so none can be missing.
     */
    exportAudit: (options?: AuditExport): AsyncGenerator<AuditEntry, void> =>
      exportAudit(readText, options),
  }
}

/** What credentials and receipts are signed with. */
function signingCalls({ patch, post, read, readAll }: Calls) {
  return {
    /** The keys that credentials and receipts are signed with; of each purpose, the active one first. */
    signingKeys: (options?: CallOptions): Promise<readonly ServiceKey[]> =>
      readAll('/v1/operator/keys', OPERATOR, options),
    /** A new key signs from now on; earlier signatures still verify. */
    rotateSigningKey: (purpose?: SigningPurpose, options?: WriteOptions): Promise<ServiceKey> =>
      post('/v1/operator/keys/rotate', OPERATOR, purpose && { purpose }, options),
    /** For a key that leaked: its signatures no longer verify. */
    revokeSigningKey: (kid: string, reason: string, options?: WriteOptions): Promise<ServiceKey> =>
      post(path`/v1/operator/keys/${kid}/revoke`, OPERATOR, { reason }, options),
    /** Whether credentials are issued; the same on every node. */
    issuing: (options?: CallOptions): Promise<Issuing> =>
      read('/v1/operator/issuing', OPERATOR, options),
    /** No node issues a credential until `resumeIssuing`; existing ones can be verified and revoked. */
    haltIssuing: (reason: string, options?: WriteOptions): Promise<Issuing> =>
      patch('/v1/operator/issuing', OPERATOR, { halted: true, reason }, options),
    resumeIssuing: (reason: string, options?: WriteOptions): Promise<Issuing> =>
      patch('/v1/operator/issuing', OPERATOR, { halted: false, reason }, options),
    /** Signs every credential in force again, with the active key; answers how many there were. */
    async reissueCredentials(options?: CallOptions): Promise<number> {
      let reissued = 0
      for (let more = true; more; ) {
        const answer = await post<{ reissued: number; more: boolean }>(
          '/v1/operator/credentials/reissue',
          OPERATOR,
          undefined,
          // With a key of the caller's, every round would get the answer of the first.
          options?.signal ? { signal: options.signal } : {},
        )
        reissued += answer.reissued
        more = answer.more
      }
      return reissued
    },
  }
}

type AuditExport = CallOptions & { readonly after?: number | undefined }

async function* exportAudit(
  readText: Calls['readText'],
  { after = 0, signal }: AuditExport = {},
): AsyncGenerator<AuditEntry, void> {
  for (let last = after; ; ) {
    const query = { after: last }
    const text = await readText('/v1/operator/audit/export', OPERATOR, { signal }, query)
    if (text === '') {
      return
    }
    for (const entry of auditEntries(text, last)) {
      last = entry.number
      yield entry
    }
  }
}

/** @throws StandingError `UNEXPECTED_RESPONSE` where a line is no entry, or not after the one before */
function* auditEntries(text: string, after: number): Generator<AuditEntry, void> {
  let last = after
  for (const line of text.trimEnd().split('\n')) {
    const entry = jsonOf(line) as AuditEntry | undefined
    if (!entry || !(entry.number > last)) {
      throw unexpectedResponse(200, `what follows entry ${last} of the audit log is not an entry`)
    }
    last = entry.number
    yield entry
  }
}
