import type { EventInput } from '../api/events/schema.ts'
import type { Policy } from '../context.ts'
import { PENDING_REVIEW, type RecordedEvent } from '../domain/agent.ts'
import { forbidden, notFound, TrustError } from '../domain/error.ts'
import type { Reporter } from '../domain/event.ts'
import { eventNotifications, scoreNotifications } from '../domain/notification.ts'
import { newsIn } from '../fraud/kinds.ts'
import { NO_REPORTS, trustIn } from '../fraud/reporter-stats.ts'
import { inspect, type RuleSettings } from '../fraud/rules.ts'
import { updateProfile } from '../fraud/update-profile.ts'
import { inProgress } from '../http/idempotency.ts'
import type { Response } from '../http/response.ts'
import type { IdempotentRequest } from '../http/route.ts'
import {
  type AgentState,
  externalKey,
  type IngestResult,
  type IngestView,
  type StoredResponse,
} from '../store/store.ts'
import { type BatchState, batchStateOf, resultOf, type ScoreDrop } from './draft.ts'
import { foldEvent } from './fold.ts'
import { countInHours } from './hourly-limit.ts'
import { inspectedOf, updateReporterStats } from './inspect.ts'
import { contentDigest, nameOf, type Outcome, type Submission } from './submission.ts'

export type { Outcome, Submission }

export interface BatchDecision extends IngestResult {
  /** For each submission its answer, or why it got none; null where its agent is locked elsewhere. */
  readonly answers: readonly (Response | TrustError | null)[]
  /** Scores that fell below what a living score credential claims. */
  readonly falls: readonly ScoreDrop[]
}

export interface DecideOptions {
  readonly now: number
  readonly newId: () => string
  readonly policy: Policy
  readonly settings: RuleSettings
}

/**
 * Judges, folds and grades the events of many requests, one after the other, as if each had come
 * alone. Pure: it may run again on another view.
 */
export function decideBatch(
  submissions: readonly Submission[],
  view: IngestView,
  options: DecideOptions,
): BatchDecision {
  const draft = batchStateOf(view)
  const answers = submissions.map((submission) =>
    view.lockedElsewhere.has(submission.agentId) ? null : answerOnce(draft, submission, options),
  )
  return { ...resultOf(draft), answers, falls: draft.scoreDrops }
}

/** Answers a submission, or gives the answer again that its Idempotency-Key had before. */
function answerOnce(
  draft: BatchState,
  submission: Submission,
  options: DecideOptions,
): Response | TrustError {
  const { idempotency: keeping } = submission
  try {
    const kept = keeping && draft.storedResponses.get(keeping.scopeHex)
    if (kept === 'busy') {
      return inProgress()
    }
    if (keeping && kept && kept.expiresAt > options.now) {
      return keeping.replay(kept)
    }
    const answer = submit(draft, submission, options)
    if (keeping) {
      keep(draft, keeping, keeping.keep(answer))
    }
    return answer
  } catch (error) {
    if (!(error instanceof TrustError)) {
      throw error
    }
    const refusal = keeping?.keepRefusal(error)
    if (keeping && refusal) {
      keep(draft, keeping, refusal)
    }
    return error
  }
}

function keep(draft: BatchState, { scopeHex }: IdempotentRequest, response: StoredResponse): void {
  draft.storedResponses.set(scopeHex, response)
  draft.responsesToStore.push(response)
}

function submit(draft: BatchState, submission: Submission, options: DecideOptions): Response {
  const agentState = draft.agentStates.get(submission.agentId)
  if (!agentState) {
    throw notFound('agent')
  }
  if (!submission.isSystemEvent) {
    checkStatus(agentState, submission.reporter)
  }
  const outcomes = submission.events.map((input, index) =>
    acceptEvent(draft, submission, { input, name: nameOf(submission, index) }, options),
  )
  return submission.answer(outcomes)
}

function checkStatus({ status }: AgentState, reporter: Reporter): void {
  if (status === 'deactivated') {
    throw forbidden('this agent is deactivated; no event is taken', { reason: 'agent_deactivated' })
  }
  // A platform may still say what a suspended agent does; the agent itself has no say.
  if (status === 'suspended' && reporter.kind !== 'platform') {
    throw forbidden('this agent is suspended; it cannot report', { reason: 'agent_suspended' })
  }
}

interface NamedInput {
  readonly input: EventInput
  /** What the event goes by on its reporter's side. */
  readonly name: string | null
}

function acceptEvent(
  draft: BatchState,
  submission: Submission,
  { input, name }: NamedInput,
  options: DecideOptions,
): Outcome {
  const digest = name === null ? null : contentDigest(submission.agentId, input)
  const key =
    name === null ? null : externalKey({ reporterId: submission.reporter.id, externalId: name })
  const known = key === null ? undefined : draft.known.get(key)
  if (known && digest) {
    if (Buffer.compare(known.digest, digest) === 0) {
      return { event: known.event, isNew: false }
    }
    return { refusal: taken(input.externalId ?? '', known.event) }
  }
  const refusal = submission.isSystemEvent ? null : countInHours(draft, submission, options)
  if (refusal) {
    return { refusal }
  }
  const event = record(draft, submission, input, options)
  draft.events.push({ event, name, digest })
  if (key !== null && digest) {
    draft.known.set(key, { event, digest })
  }
  return { event, isNew: true }
}

function taken(externalId: string, event: RecordedEvent): TrustError {
  return new TrustError(
    'CONFLICT',
    `externalId ${externalId} names another event already; its content differs`,
    { externalId, eventId: event.id },
  )
}

/** Judges one event and, unless it is held, folds it; notes all that follows from it. */
function record(
  draft: BatchState,
  submission: Submission,
  input: EventInput,
  { now, newId, policy, settings }: DecideOptions,
): RecordedEvent {
  const { agentId, reporter, attestation } = submission
  const agentState = draft.agentStates.get(agentId)
  if (!agentState) {
    throw notFound('agent')
  }
  const at = Math.max(now, agentState.updatedAt)
  const inspected = inspectedOf(draft, submission, input, { agentState, at, policy })
  const record = draft.reporters.get(reporter.id) ?? NO_REPORTS
  const seen = { event: inspected, profile: agentState.profile, reporter: record }
  const { flags, reason, findings } = inspect(seen, settings)
  const isQuarantined = flags.length > 0
  const event: RecordedEvent = {
    id: newId(),
    agentId,
    seq: agentState.seq + 1,
    type: inspected.type,
    data: inspected.data,
    occurredAt: inspected.occurredAt,
    createdAt: at,
    reporter,
    self: inspected.self,
    trust: inspected.self ? newsIn(agentState.profile, inspected) : trustIn(record),
    externalId: inspected.externalId,
    fraudFlags: flags,
    quarantineReason: reason,
    isQuarantined,
    attestationVerified: attestation === 'valid',
    review: isQuarantined ? PENDING_REVIEW : null,
    chain: null,
    findings,
  }
  const profile = updateProfile(agentState.profile, inspected, isQuarantined)
  updateReporterStats(draft, submission, inspected, { profile, isQuarantined })
  const next = { ...agentState, profile, seq: event.seq, updatedAt: at }
  draft.notifications.push(...eventNotifications(agentState.ownerId, event))
  const after = isQuarantined ? hold(next) : fold(draft, next, event, newId)
  draft.agentStates.set(agentId, after)
  draft.touched.add(agentId)
  return isQuarantined ? event : { ...event, chain: after.chain }
}

function hold(agentState: AgentState): AgentState {
  return { ...agentState, quarantinedCount: agentState.quarantinedCount + 1 }
}

function fold(
  draft: BatchState,
  before: AgentState,
  event: RecordedEvent,
  newId: () => string,
): AgentState {
  const { agentState, snapshot } = foldEvent(before, event, newId)
  if (agentState.score < before.credentialFloor) {
    draft.scoreDrops.push({ agentId: before.agentId, score: agentState.score, at: event.createdAt })
  }
  if (!snapshot) {
    return agentState
  }
  const { agentId, ownerId, score: previousScore } = before
  const { score: newScore, trigger: triggeredBy, createdAt } = snapshot
  draft.snapshots.push(snapshot)
  draft.notifications.push(
    ...scoreNotifications({ agentId, ownerId, previousScore, newScore, triggeredBy, createdAt }),
  )
  return agentState
}
