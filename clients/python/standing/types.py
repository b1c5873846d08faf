# Generated from openapi.json by npm run python:client. Change the service's schemas, not this file.
"""What the service takes and answers, as dictionaries with known keys."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

class Disputed(TypedDict):
    """Whether platforms disagree about the agent, and how many of those with a vote of their own are for it and against it"""

    isDisputed: bool
    platformsFor: int
    platformsAgainst: int


EventType = Literal["task.completed", "task.failed", "task.timeout", "payment.completed", "payment.failed", "payment.late", "payment.disputed", "uptime.report", "error.reported", "credential.issued", "credential.revoked", "agent.transferred", "agent.succeeded", "agent.limited", "reports.discarded", "child.work_failed", "child.payment_failed"]


class Error(TypedDict):
    error: Dict[str, Any]


class Session(TypedDict):
    owner: Owner
    token: str
    expiresAt: str


class Owner(TypedDict):
    id: str
    email: str
    name: Optional[str]
    tier: Literal["free", "growth", "platform"]
    createdAt: str


class _RegisterRequired(TypedDict):
    email: str
    password: str


class Register(_RegisterRequired, total=False):
    name: Optional[str]
    invitation: str


class Login(TypedDict):
    email: str
    password: str


class Account(TypedDict):
    id: str
    email: str
    name: Optional[str]
    tier: Literal["free", "growth", "platform"]
    createdAt: str
    status: Literal["active", "suspended", "erased"]
    limits: Dict[str, Any]
    member: Optional[Member]
    key: Optional[OwnerKey]
    permissions: List[Literal["read", "report", "manage", "admin", "session"]]


class Member(TypedDict):
    id: str
    email: str
    name: Optional[str]
    role: Literal["admin", "member", "viewer"]
    isOwner: bool
    emailConfirmed: bool
    createdAt: str


class OwnerKey(TypedDict):
    id: str
    name: str
    scopes: List[Literal["read", "report", "manage"]]
    status: Literal["active", "expired", "revoked"]
    createdBy: str
    createdAt: str
    expiresAt: Optional[str]
    revokedAt: Optional[str]
    lastUsedAt: Optional[str]


class ChangePassword(TypedDict):
    currentPassword: str
    newPassword: str


class RequestPasswordReset(TypedDict):
    email: str


class ResetPassword(TypedDict):
    token: str
    newPassword: str


class ConfirmEmail(TypedDict):
    token: str


class AuthOptions(TypedDict):
    registration: Literal["open", "invite", "closed"]
    mail: bool
    oidc: Optional[Dict[str, Any]]


class CreateOidcSession(TypedDict):
    code: str


class ActiveSessionList(TypedDict):
    data: List[ActiveSession]
    nextCursor: Optional[str]


class ActiveSession(TypedDict):
    id: str
    isCurrent: bool
    createdAt: str
    lastUsedAt: str
    expiresAt: str


class MemberList(TypedDict):
    data: List[Member]
    nextCursor: Optional[str]


class UpdateMember(TypedDict):
    role: Literal["admin", "member", "viewer"]


class InvitationWithLink(TypedDict):
    id: str
    email: str
    role: Optional[Literal["admin", "member", "viewer"]]
    status: Literal["open", "expired"]
    createdAt: str
    expiresAt: str
    link: Optional[str]


class _InviteMemberRequired(TypedDict):
    email: str


class InviteMember(_InviteMemberRequired, total=False):
    role: Literal["admin", "member", "viewer"]


class InvitationList(TypedDict):
    data: List[Invitation]
    nextCursor: Optional[str]


class Invitation(TypedDict):
    id: str
    email: str
    role: Optional[Literal["admin", "member", "viewer"]]
    status: Literal["open", "expired"]
    createdAt: str
    expiresAt: str


class InviteOwner(TypedDict):
    email: str


class OwnerKeyWithSecret(TypedDict):
    id: str
    name: str
    scopes: List[Literal["read", "report", "manage"]]
    status: Literal["active", "expired", "revoked"]
    createdBy: str
    createdAt: str
    expiresAt: Optional[str]
    revokedAt: Optional[str]
    lastUsedAt: Optional[str]
    apiKey: str


class _CreateOwnerKeyRequired(TypedDict):
    name: str
    scopes: List[Literal["read", "report", "manage"]]


class CreateOwnerKey(_CreateOwnerKeyRequired, total=False):
    expiresAt: Optional[str]


class OwnerKeyList(TypedDict):
    data: List[OwnerKey]
    nextCursor: Optional[str]


class Erasure(TypedDict):
    subjectId: str
    kind: Literal["owner", "agent"]
    status: Literal["running", "done"]
    createdAt: str
    finishedAt: Optional[str]


class EraseAccount(TypedDict):
    confirm: str


class EraseAgent(TypedDict):
    confirm: str


class AgentWithKey(TypedDict):
    id: str
    displayName: str
    status: Literal["active", "suspended", "deactivated"]
    parentId: Optional[str]
    createdAt: str
    ownerId: str
    metadata: Dict[str, Any]
    publicProfile: bool
    predecessorId: Optional[str]
    successorId: Optional[str]
    mode: Literal["live", "test"]
    keyLastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]
    updatedAt: str
    apiKey: str


class ApiKeyRecord(TypedDict):
    createdAt: str
    lastUsedAt: Optional[str]
    expiresAt: Optional[str]


class Agent(TypedDict):
    id: str
    displayName: str
    status: Literal["active", "suspended", "deactivated"]
    parentId: Optional[str]
    createdAt: str
    ownerId: str
    metadata: Dict[str, Any]
    publicProfile: bool
    predecessorId: Optional[str]
    successorId: Optional[str]
    mode: Literal["live", "test"]
    keyLastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]
    updatedAt: str


class _RegisterAgentRequired(TypedDict):
    displayName: str


class RegisterAgent(_RegisterAgentRequired, total=False):
    metadata: Dict[str, Any]
    parentId: Optional[str]


class AgentList(TypedDict):
    data: List[Agent]
    nextCursor: Optional[str]


class PublicAgent(TypedDict):
    id: str
    displayName: str
    status: Literal["active", "suspended", "deactivated"]
    parentId: Optional[str]
    createdAt: str


class UpdateAgent(TypedDict, total=False):
    displayName: str
    metadata: Dict[str, Any]
    publicProfile: bool


class RegisterSuccessor(TypedDict, total=False):
    displayName: str
    metadata: Dict[str, Any]


class RotatedKey(TypedDict):
    apiKey: str
    previousKeyExpiresAt: str


class RotateKey(TypedDict, total=False):
    overlapSeconds: int


class Transfer(TypedDict):
    id: str
    agentId: str
    agentName: str
    fromOwnerId: str
    fromOwnerName: Optional[str]
    toOwnerId: Optional[str]
    toOwnerEmail: Optional[str]
    status: Literal["pending", "accepted", "declined", "withdrawn", "expired"]
    createdAt: str
    expiresAt: str
    endedAt: Optional[str]


class OfferAgent(TypedDict, total=False):
    toOwnerId: str
    toOwnerEmail: str


class TransferList(TypedDict):
    data: List[Transfer]
    nextCursor: Optional[str]


class AcceptedTransfer(TypedDict):
    transfer: Transfer
    agent: Agent
    apiKey: str


class Identifier(TypedDict):
    id: str
    agentId: str
    type: Literal["did", "domain", "a2a_card", "mcp_server", "web_bot_auth", "caip10", "erc8004", "oauth_client", "spiffe"]
    value: str
    status: Literal["claimed", "verified"]
    challenge: Optional[str]
    ways: List[IdentifierProofWay]
    proof: Optional[Dict[str, Any]]
    problem: Optional[Dict[str, Any]]
    createdAt: str
    verifiedAt: Optional[str]
    checkedAt: Optional[str]


class IdentifierProofWay(TypedDict):
    method: Literal["well_known", "dns", "signature"]
    location: str


class ClaimIdentifier(TypedDict):
    type: Literal["did", "domain", "a2a_card", "mcp_server", "web_bot_auth", "caip10", "erc8004", "oauth_client", "spiffe"]
    value: str


class IdentifierList(TypedDict):
    data: List[Identifier]
    nextCursor: Optional[str]


class VerifyIdentifier(TypedDict, total=False):
    signature: str


class Lookup(TypedDict):
    identifier: str
    match: Literal["verified", "claimed", "unknown"]
    agent: Optional[PublicAgent]
    score: Optional[Score]


class _ScoreRequired(TypedDict):
    agentId: str
    score: int
    classification: Literal["excellent", "good", "fair", "poor", "untrusted"]
    confidence: Literal["low", "medium", "high"]
    eventCount: int
    breakdown: Breakdown
    disputed: Disputed
    exposureLimit: Optional[float]
    interval: Dict[str, Any]
    forecast: Forecast
    evidence: Dict[str, Any]
    status: Literal["active", "suspended", "deactivated"]
    modelVersion: str
    computedAt: str


class Score(_ScoreRequired, total=False):
    correctedAt: Optional[str]
    taskClass: ClassScore


class Breakdown(TypedDict):
    reliability: DimensionScore
    financial: DimensionScore
    identity: DimensionScore


class DimensionScore(TypedDict):
    score: int
    weight: float
    effectiveWeight: float
    eventCount: int


class Forecast(TypedDict):
    task: Optional[Dict[str, Any]]
    payment: Optional[Dict[str, Any]]


class ClassScore(TypedDict):
    """Only with `taskClass`: the score with every report of that class counted five times. Where little is known of the class it is near the score"""

    name: str
    isKnown: bool
    eventCount: int
    platforms: int
    score: int
    classification: Literal["excellent", "good", "fair", "poor", "untrusted"]
    confidence: Literal["low", "medium", "high"]
    interval: Dict[str, Any]
    disputed: Disputed
    difference: int
    forecast: Optional[Dict[str, Any]]


class LookupBatchAnswer(TypedDict):
    data: List[Lookup]


class LookupBatch(TypedDict):
    identifiers: List[str]


class Decision(TypedDict):
    decision: Literal["allow", "review", "deny"]
    reasons: List[Dict[str, Any]]
    agent: Optional[PublicAgent]
    score: Optional[int]
    confidence: Optional[Literal["low", "medium", "high"]]
    interval: Optional[Dict[str, Any]]
    disputed: Optional[Disputed]
    exposureLimit: Optional[float]
    ownExperience: Optional[Dict[str, Any]]
    policy: AppliedPolicy
    expiresAt: str


class AppliedPolicy(TypedDict):
    name: Optional[str]
    minScore: int
    minConfidence: Literal["low", "medium", "high"]
    unknown: Literal["allow", "review", "deny"]
    disputed: Literal["allow", "review", "deny"]
    maxExposure: Optional[float]


class DecisionRequest(TypedDict, total=False):
    agentId: str
    identifier: str
    action: str
    amount: float
    currency: str
    policy: Union[str, PolicyInput]


class PolicyInput(TypedDict, total=False):
    minScore: int
    minConfidence: Literal["low", "medium", "high"]
    unknown: Literal["allow", "review", "deny"]
    disputed: Literal["allow", "review", "deny"]
    maxExposure: Optional[float]


class PastDecisionList(TypedDict):
    data: List[PastDecision]
    nextCursor: Optional[str]


class PastDecision(TypedDict):
    id: str
    createdAt: str
    via: Literal["api", "authzen", "gate"]
    agent: Optional[PublicAgent]
    identifier: Optional[str]
    action: Optional[str]
    decision: Literal["allow", "review", "deny"]
    reasons: List[Dict[str, Any]]
    score: Optional[int]
    policy: Optional[str]


class AuthZenMetadata(TypedDict):
    policy_decision_point: str
    access_evaluation_endpoint: str
    access_evaluations_endpoint: str


class AuthZenDecision(TypedDict):
    decision: bool
    context: Decision


class _AuthZenEvaluationRequired(TypedDict):
    subject: AuthZenSubject
    action: AuthZenAction
    resource: AuthZenResource


class AuthZenEvaluation(_AuthZenEvaluationRequired, total=False):
    context: AuthZenContext


class _AuthZenSubjectRequired(TypedDict):
    type: str
    id: str


class AuthZenSubject(_AuthZenSubjectRequired, total=False):
    properties: Dict[str, Any]


class _AuthZenActionRequired(TypedDict):
    name: str


class AuthZenAction(_AuthZenActionRequired, total=False):
    properties: Dict[str, Any]


class _AuthZenResourceRequired(TypedDict):
    type: str
    id: str


class AuthZenResource(_AuthZenResourceRequired, total=False):
    properties: Dict[str, Any]


class AuthZenContext(TypedDict, total=False):
    amount: float
    currency: str
    policy: Union[str, PolicyInput]


AuthZenDecisions = Union[Dict[str, Any], "AuthZenDecision"]


class AuthZenEvaluations(TypedDict, total=False):
    subject: AuthZenSubject
    action: AuthZenAction
    resource: AuthZenResource
    context: AuthZenContext
    evaluations: List[Dict[str, Any]]
    options: Dict[str, Any]


class Policy(TypedDict):
    name: str
    minScore: int
    minConfidence: Literal["low", "medium", "high"]
    unknown: Literal["allow", "review", "deny"]
    disputed: Literal["allow", "review", "deny"]
    maxExposure: Optional[float]
    createdAt: str
    updatedAt: str


class PolicyList(TypedDict):
    data: List[Policy]
    nextCursor: Optional[str]


class BacktestResult(TypedDict):
    policy: AppliedPolicy
    # from is a keyword of Python
    to: str
    deals: int
    isTruncated: bool
    allow: BacktestOutcome
    review: BacktestOutcome
    deny: BacktestOutcome
    reasons: Dict[str, Any]
    expectedLoss: float
    expectedLossWithout: float
    tradeOff: List[Dict[str, Any]]


class BacktestOutcome(TypedDict):
    deals: int
    good: int
    bad: int
    amount: float
    loss: float


class _BacktestRequired(TypedDict):
    # from is a keyword of Python
    to: str


class Backtest(_BacktestRequired, total=False):
    policy: PolicyInput


class SnapshotList(TypedDict):
    data: List[Snapshot]
    nextCursor: Optional[str]


class Snapshot(TypedDict):
    id: str
    agentId: str
    score: int
    classification: Literal["excellent", "good", "fair", "poor", "untrusted"]
    confidence: Literal["low", "medium", "high"]
    eventCount: int
    breakdown: Breakdown
    disputed: Disputed
    exposureLimit: Optional[float]
    trigger: Dict[str, Any]
    modelVersion: str
    createdAt: str
    correctedAt: Optional[str]


class ScoreSeries(TypedDict):
    data: List[Dict[str, Any]]


class ScoreBatchAnswer(TypedDict):
    data: List[Score]
    notFound: List[str]


class ScoreBatch(TypedDict):
    agentIds: List[str]


class Classifications(TypedDict):
    data: List[Dict[str, Any]]


class _ScoreExplanationRequired(TypedDict):
    agentId: str
    score: int
    classification: Literal["excellent", "good", "fair", "poor", "untrusted"]
    confidence: Literal["low", "medium", "high"]
    disputed: Disputed
    exposureLimit: Optional[float]
    status: Literal["active", "suspended", "deactivated"]
    contributions: Dict[str, Any]
    reasons: List[Dict[str, Any]]
    nextTier: Optional[Dict[str, Any]]
    errorBudget: Optional[Dict[str, Any]]
    after: List[Dict[str, Any]]
    modelVersion: str
    computedAt: str


class ScoreExplanation(_ScoreExplanationRequired, total=False):
    events: Dict[str, Any]
    since: Dict[str, Any]
    without: Dict[str, Any]
    taskClass: ClassScore


class PublicProfile(TypedDict):
    agent: PublicAgent
    score: Score
    days: List[Dict[str, Any]]
    credentials: List[Dict[str, Any]]
    owner: Dict[str, Any]


class Receipt(TypedDict):
    receipt: str
    payload: ReceiptPayload


class ReceiptPayload(TypedDict):
    """The payload of the JWS, decoded"""

    iss: str
    sub: str
    iat: int
    at: int
    score: Dict[str, Any]
    events: int
    imported: int
    chain: str
    evidence: str
    model: Dict[str, Any]
    registration: Dict[str, Any]


class ReceiptKeySet(TypedDict):
    keys: List[Dict[str, Any]]


class Event(TypedDict):
    id: str
    agentId: str
    type: EventType
    dimension: Literal["reliability", "financial", "identity"]
    impact: Literal["positive", "negative", "neutral"]
    data: Union[TaskData, PaymentData, UptimeData, ErrorData, CredentialData, HandoverData, ChildData]
    occurredAt: str
    createdAt: str
    isSelfReported: bool
    reporter: Dict[str, Any]
    externalId: Optional[str]
    imported: bool
    weight: float
    share: float
    reporterWeight: float
    hardness: float
    fraudFlags: List[str]
    isQuarantined: bool
    quarantineReason: Optional[str]
    attestationVerified: bool
    review: Review


class TaskData(TypedDict, total=False):
    duration: float
    success: bool
    errorCode: str
    difficulty: Literal[1, 2, 3]
    taskClass: str
    counterparty: str


class PaymentData(TypedDict, total=False):
    amount: float
    currency: str
    daysLate: float
    counterparty: str


class UptimeData(TypedDict, total=False):
    uptimePercentage: float
    responseTimeMs: float


class ErrorData(TypedDict, total=False):
    errorType: str
    severity: Literal["low", "medium", "high", "critical"]


class CredentialData(TypedDict, total=False):
    credentialId: str
    credentialType: str


class HandoverData(TypedDict, total=False):
    transferId: str
    predecessorId: str
    parentId: str
    ceiling: float
    platformId: str


class _ChildDataRequired(TypedDict):
    childId: str
    childEventId: str
    observation: float


class ChildData(_ChildDataRequired, total=False):
    childEventType: EventType
    amount: float
    currency: str
    counterparty: str


Review = Optional[Dict[str, Any]]


EventInput = Union["TaskEventInput", "PaymentEventInput", "UptimeEventInput", "ErrorEventInput", "CredentialEventInput"]


class _TaskEventInputRequired(TypedDict):
    type: Literal["task.completed", "task.failed", "task.timeout"]


class TaskEventInput(_TaskEventInputRequired, total=False):
    data: TaskData
    occurredAt: str
    externalId: Optional[str]


class _PaymentEventInputRequired(TypedDict):
    type: Literal["payment.completed", "payment.failed", "payment.late", "payment.disputed"]


class PaymentEventInput(_PaymentEventInputRequired, total=False):
    data: PaymentData
    occurredAt: str
    externalId: Optional[str]


class _UptimeEventInputRequired(TypedDict):
    type: Literal["uptime.report"]


class UptimeEventInput(_UptimeEventInputRequired, total=False):
    data: UptimeData
    occurredAt: str
    externalId: Optional[str]


class _ErrorEventInputRequired(TypedDict):
    type: Literal["error.reported"]


class ErrorEventInput(_ErrorEventInputRequired, total=False):
    data: ErrorData
    occurredAt: str
    externalId: Optional[str]


class _CredentialEventInputRequired(TypedDict):
    type: Literal["credential.issued", "credential.revoked"]


class CredentialEventInput(_CredentialEventInputRequired, total=False):
    data: CredentialData
    occurredAt: str
    externalId: Optional[str]


class _CloudEventRequired(TypedDict):
    specversion: Literal["1.0"]
    id: str
    source: str
    type: str


class CloudEvent(_CloudEventRequired, total=False):
    time: str
    datacontenttype: str
    data: Dict[str, Any]


class EventBatchAnswer(TypedDict):
    accepted: int
    rejected: int
    errors: List[Dict[str, Any]]
    data: List[Event]


class EventBatch(TypedDict):
    events: List[EventInput]


CloudEventBatch = List["CloudEvent"]


class EventList(TypedDict):
    data: List[Event]
    nextCursor: Optional[str]


class OtlpTraceAnswer(TypedDict, total=False):
    partialSuccess: Dict[str, Any]


class OtlpTraceRequest(TypedDict):
    """`ExportTraceServiceRequest` of OTLP 1, in its JSON form"""

    resourceSpans: List[Dict[str, Any]]


class Mapping(TypedDict):
    name: str
    rules: List[MappingRule]
    sample: MappingPayload
    sender: Optional[Dict[str, Any]]
    path: str
    createdAt: str
    updatedAt: str


class MappingRule(TypedDict, total=False):
    when: List[Dict[str, Any]]
    agent: List[Dict[str, Any]]
    remember: List[str]
    type: Dict[str, Any]
    occurredAt: Dict[str, Any]
    externalId: List[str]
    data: Dict[str, Any]


MappingPayload = Dict[str, Any]


class _MappingInputRequired(TypedDict):
    rules: List[MappingRule]
    sample: Dict[str, Any]


class MappingInput(_MappingInputRequired, total=False):
    sender: Optional[Dict[str, Any]]


class MappingList(TypedDict):
    data: List[Mapping]
    nextCursor: Optional[str]


class MappingDryRunResult(TypedDict):
    outcome: Literal["report", "ignored", "refused"]
    rule: Optional[int]
    agentId: Optional[str]
    event: Optional[Dict[str, Any]]
    issues: List[Dict[str, Any]]


class _MappingDryRunRequired(TypedDict):
    payload: MappingPayload


class MappingDryRun(_MappingDryRunRequired, total=False):
    rules: List[MappingRule]


class MappedAnswer(TypedDict):
    accepted: int
    rejected: int
    errors: List[Dict[str, Any]]
    data: List[Event]
    ignored: int


class Credential(TypedDict):
    id: str
    agentId: str
    issuerId: str
    assertedBy: Literal["owner", "service"]
    type: str
    claims: Dict[str, Any]
    status: Literal["active", "expired", "revoked"]
    issuedAt: str
    expiresAt: Optional[str]
    revokedAt: Optional[str]
    revocationReason: Optional[str]
    jwt: str


class _IssueCredentialRequired(TypedDict):
    agentId: str
    type: str
    claims: Dict[str, Any]


class IssueCredential(_IssueCredentialRequired, total=False):
    expiresAt: Optional[str]


class _IssueScoreCredentialRequired(TypedDict):
    atLeast: Literal["excellent", "good", "fair", "poor"]


class IssueScoreCredential(_IssueScoreCredentialRequired, total=False):
    expiresAt: Optional[str]


class CredentialList(TypedDict):
    data: List[Credential]
    nextCursor: Optional[str]


class Verification(TypedDict):
    valid: bool
    status: Literal["active", "expired", "revoked", "suspended", "invalid"]
    claims: Optional[Dict[str, Any]]
    checks: Dict[str, Any]
    credential: Optional[Credential]
    verifiedAt: str


class VerifyCredential(TypedDict, total=False):
    credentialId: str
    jwt: str


class Revoke(TypedDict, total=False):
    reason: Optional[str]


class DidDocument(TypedDict):
    id: str
    verificationMethod: List[Dict[str, Any]]
    assertionMethod: List[str]


class Jwks(TypedDict):
    keys: List[Dict[str, Any]]


class Reissued(TypedDict):
    reissued: int
    more: bool


class Attestation(TypedDict):
    attestation: str
    expiresAt: str
    subject: Dict[str, Any]
    extension: Dict[str, Any]
    trustManifest: Dict[str, Any]


class SigningKeys(TypedDict):
    data: List[SigningKey]
    nextCursor: Optional[str]


class SigningKey(TypedDict):
    kid: str
    purpose: Literal["credentials", "receipts", "tokens", "test"]
    publicKey: str
    status: Literal["active", "retired", "revoked"]
    createdAt: str
    retiredAt: Optional[str]
    revokedAt: Optional[str]


class RotateSigningKey(TypedDict, total=False):
    purpose: Literal["credentials", "receipts", "tokens", "test"]


class RevokeSigningKey(TypedDict):
    reason: str


class Issuing(TypedDict):
    halted: Optional[Dict[str, Any]]


class UpdateIssuing(TypedDict):
    halted: bool
    reason: str


class PublicPlatform(TypedDict):
    id: str
    mode: Literal["live", "test"]
    name: str


class OwnPlatform(TypedDict):
    id: str
    mode: Literal["live", "test"]
    name: str
    tier: Literal["free", "growth", "platform"]
    status: Literal["active", "suspended"]
    publicKey: Optional[str]
    previousKey: Optional[Dict[str, Any]]
    requireAttestation: bool
    verified: bool
    established: bool
    agreement: float
    reports: Dict[str, Any]
    ownerId: Optional[str]
    keyLastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]
    createdAt: str
    updatedAt: str


class PlatformWithKey(TypedDict):
    id: str
    mode: Literal["live", "test"]
    name: str
    tier: Literal["free", "growth", "platform"]
    status: Literal["active", "suspended"]
    publicKey: Optional[str]
    previousKey: Optional[Dict[str, Any]]
    requireAttestation: bool
    verified: bool
    established: bool
    agreement: float
    reports: Dict[str, Any]
    discarded: Optional[Dict[str, Any]]
    ownerId: Optional[str]
    keyLastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]
    createdAt: str
    updatedAt: str
    apiKey: str


class DiscardOutcome(TypedDict):
    reason: str
    requestedAt: str
    agents: int
    finishedAt: Optional[str]


class Platform(TypedDict):
    id: str
    mode: Literal["live", "test"]
    name: str
    tier: Literal["free", "growth", "platform"]
    status: Literal["active", "suspended"]
    publicKey: Optional[str]
    previousKey: Optional[Dict[str, Any]]
    requireAttestation: bool
    verified: bool
    established: bool
    agreement: float
    reports: Dict[str, Any]
    discarded: Optional[Dict[str, Any]]
    ownerId: Optional[str]
    keyLastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]
    createdAt: str
    updatedAt: str


class _CreatePlatformRequired(TypedDict):
    name: str


class CreatePlatform(_CreatePlatformRequired, total=False):
    tier: Literal["free", "growth", "platform"]
    publicKey: Optional[str]
    requireAttestation: bool
    verified: bool
    ownerId: Optional[str]


class PlatformList(TypedDict):
    data: List[Platform]
    nextCursor: Optional[str]


class UpdatePlatform(TypedDict, total=False):
    name: str
    tier: Literal["free", "growth", "platform"]
    publicKey: Optional[str]
    previousKeyOverlapSeconds: int
    requireAttestation: bool
    verified: bool
    status: Literal["active", "suspended"]


class Discard(TypedDict):
    reason: str
    requestedAt: str
    agents: int
    finishedAt: Optional[str]
    progress: Optional[Dict[str, Any]]
    earlier: List[DiscardOutcome]


class DiscardReports(TypedDict):
    reason: str


class OwnerList(TypedDict):
    data: List[ManagedOwner]
    nextCursor: Optional[str]


class ManagedOwner(TypedDict):
    id: str
    email: str
    name: Optional[str]
    tier: Literal["free", "growth", "platform"]
    createdAt: str
    status: Literal["active", "suspended", "erased"]


class UpdateOwner(TypedDict, total=False):
    tier: Literal["free", "growth", "platform"]
    status: Literal["active", "suspended"]
    reason: str


class ResetLink(TypedDict):
    link: str
    expiresAt: str


class CreateResetLink(TypedDict):
    email: str


class SetStatus(TypedDict):
    status: Literal["active", "suspended"]
    reason: str


class OperatorWithKey(TypedDict):
    id: str
    name: str
    status: Literal["active", "revoked"]
    createdAt: str
    revokedAt: Optional[str]
    lastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]
    apiKey: str


class Operator(TypedDict):
    id: str
    name: str
    status: Literal["active", "revoked"]
    createdAt: str
    revokedAt: Optional[str]
    lastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]


class CreateOperator(TypedDict):
    name: str


class OperatorList(TypedDict):
    data: List[Operator]
    nextCursor: Optional[str]


class Jobs(TypedDict):
    jobs: List[Job]
    queues: List[Queue]


class Job(TypedDict):
    name: str
    everySeconds: float
    isRunning: bool
    lastStartedAt: Optional[str]
    lastSucceededAt: Optional[str]
    nextAt: str
    failures: int
    lastError: Optional[Dict[str, Any]]


class Queue(TypedDict):
    name: Literal["reviews", "releases", "deliveries", "mails", "erasures", "discards", "identifier_checks", "model_migration", "attributions"]
    waiting: int
    oldestAt: Optional[str]


class Backups(TypedDict):
    latest: Backup
    databaseBytes: int


Backup = Optional[Dict[str, Any]]


class Calibration(TypedDict):
    agents: int
    agentsInAll: int
    modelVersion: str
    computedAt: str
    since: str
    data: List[Dict[str, Any]]


class Resistance(TypedDict):
    agents: int
    agentsInAll: int
    modelVersion: str
    computedAt: str
    platforms: Dict[str, Any]
    counterpartiesNamed: Optional[float]
    data: List[Dict[str, Any]]
    prices: List[Dict[str, Any]]


class ImportSummary(TypedDict):
    name: str
    dryRun: bool
    lines: int
    imported: int
    quarantined: int
    alreadyImported: int
    refused: int
    errors: List[Dict[str, Any]]
    agents: List[Dict[str, Any]]


class ReviewList(TypedDict):
    data: List[ReviewItem]
    nextCursor: Optional[str]


class ReviewItem(TypedDict):
    id: str
    agentId: str
    type: EventType
    dimension: Literal["reliability", "financial", "identity"]
    impact: Literal["positive", "negative", "neutral"]
    data: Union[TaskData, PaymentData, UptimeData, ErrorData, CredentialData, HandoverData, ChildData]
    occurredAt: str
    createdAt: str
    isSelfReported: bool
    reporter: Dict[str, Any]
    externalId: Optional[str]
    imported: bool
    weight: float
    share: float
    reporterWeight: float
    hardness: float
    fraudFlags: List[str]
    isQuarantined: bool
    quarantineReason: Optional[str]
    attestationVerified: bool
    review: Review
    findings: List[Finding]
    agent: Optional[Dict[str, Any]]
    reporterRecord: Optional[Dict[str, Any]]


class Finding(TypedDict):
    rule: str
    severity: Literal["low", "medium", "high"]
    mode: Literal["quarantine", "shadow"]
    sentence: str
    evidence: Dict[str, Any]


class ReviewDecision(TypedDict):
    decision: Literal["released", "upheld"]
    reason: str


class BulkReviewAnswer(TypedDict):
    reviewed: int
    more: bool
    data: List[Event]


class _BulkReviewRequired(TypedDict):
    decision: Literal["released", "upheld"]
    reason: str


class BulkReview(_BulkReviewRequired, total=False):
    rule: Literal["attestation_invalid", "contradictory_data", "implausible_data", "identical_event", "near_duplicate", "burst", "burst_peers", "backdated", "window_edge", "self_dealing", "credential_pumping", "sleeper", "sudden_change", "conflicting_report"]
    agentId: str
    reporterId: str
    # from is a keyword of Python
    to: str


class Appeal(TypedDict):
    statement: str


class QuarantinedScore(TypedDict):
    quarantinedEvents: int
    current: Score
    withQuarantined: Dict[str, Any]


class FraudRuleList(TypedDict):
    data: List[FraudRuleWithFindings]
    nextCursor: Optional[str]


class FraudRuleWithFindings(TypedDict):
    id: str
    summary: str
    severity: Literal["low", "medium", "high"]
    mode: Literal["quarantine", "shadow", "off"]
    defaultMode: Literal["quarantine", "shadow", "off"]
    threshold: Optional[Dict[str, Any]]
    found: RuleFindings


class RuleFindings(TypedDict):
    """What the rule found lately, among the latest 10,000 events with findings, and what reviews decided"""

    days: int
    events: int
    quarantined: int
    released: int
    upheld: int


class FraudRule(TypedDict):
    id: str
    summary: str
    severity: Literal["low", "medium", "high"]
    mode: Literal["quarantine", "shadow", "off"]
    defaultMode: Literal["quarantine", "shadow", "off"]
    threshold: Optional[Dict[str, Any]]


class UpdateFraudRule(TypedDict, total=False):
    mode: Literal["quarantine", "shadow", "off"]
    threshold: Optional[float]


class AuditList(TypedDict):
    data: List[AuditEntry]
    nextCursor: Optional[str]


class AuditEntry(TypedDict):
    id: str
    actor: Dict[str, Any]
    action: str
    target: Optional[Dict[str, Any]]
    details: Dict[str, Any]
    createdAt: str
    number: int
    hash: str
    commitment: str
    salt: Optional[str]


class WebhookWithSecret(TypedDict):
    id: str
    mode: Literal["live", "test"]
    url: str
    events: List[Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "*"]]
    agentIds: Optional[List[str]]
    format: Literal["standard", "slack", "teams", "discord", "mail"]
    description: Optional[str]
    status: Literal["active", "paused", "disabled"]
    statusReason: Optional[Literal["failing", "gone"]]
    statusChangedAt: Optional[str]
    consecutiveFailures: int
    createdAt: str
    updatedAt: str
    secret: str


class Webhook(TypedDict):
    id: str
    mode: Literal["live", "test"]
    url: str
    events: List[Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "*"]]
    agentIds: Optional[List[str]]
    format: Literal["standard", "slack", "teams", "discord", "mail"]
    description: Optional[str]
    status: Literal["active", "paused", "disabled"]
    statusReason: Optional[Literal["failing", "gone"]]
    statusChangedAt: Optional[str]
    consecutiveFailures: int
    createdAt: str
    updatedAt: str


class _CreateWebhookRequired(TypedDict):
    url: str
    events: List[Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "*"]]


class CreateWebhook(_CreateWebhookRequired, total=False):
    format: Literal["standard", "slack", "teams", "discord", "mail"]
    description: Optional[str]
    agentIds: Optional[List[str]]


class WebhookList(TypedDict):
    data: List[Webhook]
    nextCursor: Optional[str]


class UpdateWebhook(TypedDict, total=False):
    url: str
    events: List[Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "*"]]
    description: Optional[str]
    agentIds: Optional[List[str]]
    status: Literal["active", "disabled"]


class RotatedSecret(TypedDict):
    secret: str
    previousSecretExpiresAt: str


class WebhookDeliveryList(TypedDict):
    data: List[WebhookDelivery]
    nextCursor: Optional[str]


class WebhookDelivery(TypedDict):
    id: str
    webhookId: str
    type: Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "webhook.test"]
    agentId: Optional[str]
    status: Literal["pending", "delivered", "failed"]
    attemptCount: int
    lastError: Optional[str]
    nextAttemptAt: Optional[str]
    createdAt: str
    finishedAt: Optional[str]


class WebhookDeliveryDetails(TypedDict):
    id: str
    webhookId: str
    type: Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "webhook.test"]
    agentId: Optional[str]
    status: Literal["pending", "delivered", "failed"]
    attemptCount: int
    lastError: Optional[str]
    nextAttemptAt: Optional[str]
    createdAt: str
    finishedAt: Optional[str]
    data: Dict[str, Any]
    attempts: List[WebhookAttempt]


class WebhookAttempt(TypedDict):
    at: str
    outcome: Literal["delivered", "failed", "gone", "throttled"]
    status: Optional[int]
    error: Optional[str]
    durationMs: int
    responseStart: str


class RecoveredWebhook(TypedDict):
    recovered: int
    complete: bool


class RecoverWebhook(TypedDict):
    since: str


class Listener(TypedDict):
    id: str
    events: List[Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "*"]]
    agentIds: Optional[List[str]]
    expiresAt: str


class _CreateListenerRequired(TypedDict):
    events: List[Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "*"]]


class CreateListener(_CreateListenerRequired, total=False):
    agentIds: Optional[List[str]]


class ListenerNotifications(TypedDict):
    data: List[Notification]
    nextCursor: Optional[str]


class _NotificationRequired(TypedDict):
    id: str
    type: Literal["score.changed", "score.tier_changed", "event.ingested", "event.quarantined", "event.reviewed", "credential.issued", "credential.revoked", "agent.status_changed", "agent.transferred", "identifier.verified", "identifier.failing", "identifier.lapsed", "webhook.test"]
    timestamp: str
    data: Dict[str, Any]


class Notification(_NotificationRequired, total=False):
    mode: Literal["test"]


class Watch(TypedDict):
    agentId: str
    createdAt: str


class WatchList(TypedDict):
    data: List[Watch]
    nextCursor: Optional[str]


class TestPlatform(TypedDict):
    id: str
    mode: Literal["live", "test"]
    name: str
    tier: Literal["free", "growth", "platform"]
    status: Literal["active", "suspended"]
    publicKey: Optional[str]
    previousKey: Optional[Dict[str, Any]]
    requireAttestation: bool
    verified: bool
    established: bool
    agreement: float
    reports: Dict[str, Any]
    discarded: Optional[Dict[str, Any]]
    ownerId: Optional[str]
    keyLastUsedAt: Optional[str]
    apiKeys: List[ApiKeyRecord]
    createdAt: str
    updatedAt: str
    apiKey: str


class CreateTestPlatform(TypedDict, total=False):
    name: str


class DeletedTestData(TypedDict):
    agents: int
    platforms: int
    webhooks: int


class Health(TypedDict):
    status: Literal["ok"]


class _ReadinessRequired(TypedDict):
    status: Literal["ok", "degraded"]


class Readiness(_ReadinessRequired, total=False):
    reason: str
