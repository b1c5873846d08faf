import { forbidden, notFound, TrustError } from '../../core/error.ts'
import type { Reporter } from '../../core/events.ts'
import { eventNotices, scoreNotices } from '../../core/notices.ts'
import { PENDING_REVIEW, type RecordedEvent } from '../../core/record.ts'
import { newsIn } from '../../fraud/kinds.ts'
import { remember } from '../../fraud/remember.ts'
import { NO_RECORD, trustIn } from '../../fraud/reporter.ts'
import { inspect, type RuleSettings } from '../../fraud/rules.ts'
import type { Answer } from '../../http/answer.ts'
import { inProgress } from '../../http/idempotency.ts'
import type { Keeping } from '../../http/route.ts'
import {
  externalKey,
  type IngestResult,
  type IngestView,
  type KeptResponse,
  type Standing,
} from '../../store/store.ts'
import type { Policy } from '../context.ts'
import { type Draft, draftOf, type Fall, resultOf } from './draft.ts'
import { foldEvent } from './fold.ts'
import { countInHours } from './hours.ts'
import { inspectedOf, noteReporter } from './inspect.ts'
import type { EventInput } from './schema.ts'
import { contentDigest, nameOf, type Outcome, type Submission } from './submission.ts'

export type { Outcome, Submission }

export interface Judged extends IngestResult {
  /** For each submission its answer, or why it got none; null where its agent is locked elsewhere. */
  readonly answers: readonly (Answer | TrustError | null)[]
  /** Scores that fell below what a living score credential claims. */
  readonly falls: readonly Fall[]
}

export interface JudgeOptions {
  readonly now: number
  readonly newId: () => string
  readonly policy: Policy
  readonly settings: RuleSettings
}

/**
 * Judges, folds and grades the events of many requests, one after the other, as if each had come
 * alone. Pure: it may run again on another view.
 */
export function judge(
  submissions: readonly Submission[],
  view: IngestView,
  options: JudgeOptions,
): Judged {
  const draft = draftOf(view)
  const answers = submissions.map((submission) =>
    view.busy.has(submission.agentId) ? null : answerOnce(draft, submission, options),
  )
  return { ...resultOf(draft), answers, falls: draft.falls }
}

/** Answers a submission, or gives the answer again that its Idempotency-Key had before. */
function answerOnce(
  draft: Draft,
  submission: Submission,
  options: JudgeOptions,
): Answer | TrustError {
  const { keeping } = submission
  try {
    const kept = keeping && draft.kept.get(keeping.scopeHex)
    if (kept === 'busy') return inProgress()
    if (keeping && kept && kept.expiresAt > options.now) return keeping.replay(kept)
    const answer = submit(draft, submission, options)
    if (keeping) keep(draft, keeping, keeping.keep(answer))
    return answer
  } catch (error) {
    if (!(error instanceof TrustError)) throw error
    const refusal = keeping?.keepRefusal(error)
    if (keeping && refusal) keep(draft, keeping, refusal)
    return error
  }
}

function keep(draft: Draft, { scopeHex }: Keeping, response: KeptResponse): void {
  draft.kept.set(scopeHex, response)
  draft.keeps.push(response)
}

function submit(draft: Draft, submission: Submission, options: JudgeOptions): Answer {
  const standing = draft.standings.get(submission.agentId)
  if (!standing) throw notFound('agent')
  if (!submission.isOwnNote) checkStatus(standing, submission.reporter)
  const outcomes = submission.events.map((input, index) =>
    takeIn(draft, submission, { input, name: nameOf(submission, index) }, options),
  )
  return submission.answer(outcomes)
}

function checkStatus({ status }: Standing, reporter: Reporter): void {
  if (status === 'deactivated')
    throw forbidden('this agent is deactivated; no event is taken', { reason: 'agent_deactivated' })
  // A platform may still say what a suspended agent does; the agent itself has no say.
  if (status === 'suspended' && reporter.kind !== 'platform')
    throw forbidden('this agent is suspended; it cannot report', { reason: 'agent_suspended' })
}

interface NamedInput {
  readonly input: EventInput
  /** What the event goes by on its reporter's side. */
  readonly name: string | null
}

function takeIn(
  draft: Draft,
  submission: Submission,
  { input, name }: NamedInput,
  options: JudgeOptions,
): Outcome {
  const digest = name === null ? null : contentDigest(submission.agentId, input)
  const key =
    name === null ? null : externalKey({ reporterId: submission.reporter.id, externalId: name })
  const known = key === null ? undefined : draft.known.get(key)
  if (known && digest) {
    if (Buffer.compare(known.digest, digest) === 0) return { event: known.event, isNew: false }
    return { refusal: taken(input.externalId ?? '', known.event) }
  }
  const refusal = submission.isOwnNote ? null : countInHours(draft, submission, options)
  if (refusal) return { refusal }
  const event = record(draft, submission, input, options)
  draft.events.push({ event, name, digest })
  if (key !== null && digest) draft.known.set(key, { event, digest })
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
  draft: Draft,
  submission: Submission,
  input: EventInput,
  { now, newId, policy, settings }: JudgeOptions,
): RecordedEvent {
  const { agentId, reporter, attestation } = submission
  const standing = draft.standings.get(agentId)
  if (!standing) throw notFound('agent')
  const at = Math.max(now, standing.updatedAt)
  const inspected = inspectedOf(draft, submission, input, { standing, at, policy })
  const record = draft.reporters.get(reporter.id) ?? NO_RECORD
  const seen = { event: inspected, habits: standing.habits, reporter: record }
  const { flags, reason, findings } = inspect(seen, settings)
  const isQuarantined = flags.length > 0
  const event: RecordedEvent = {
    id: newId(),
    agentId,
    seq: standing.seq + 1,
    type: inspected.type,
    data: inspected.data,
    occurredAt: inspected.occurredAt,
    createdAt: at,
    reporter,
    self: inspected.self,
    trust: inspected.self ? newsIn(standing.habits, inspected) : trustIn(record),
    externalId: inspected.externalId,
    fraudFlags: flags,
    quarantineReason: reason,
    isQuarantined,
    attestationVerified: attestation === 'valid',
    review: isQuarantined ? PENDING_REVIEW : null,
    chain: null,
    findings,
  }
  const habits = remember(standing.habits, inspected, isQuarantined)
  noteReporter(draft, submission, inspected, { habits, isQuarantined })
  const next = { ...standing, habits, seq: event.seq, updatedAt: at }
  draft.notices.push(...eventNotices(standing.ownerId, event))
  const after = isQuarantined ? hold(next) : fold(draft, next, event, newId)
  draft.standings.set(agentId, after)
  draft.touched.add(agentId)
  return isQuarantined ? event : { ...event, chain: after.chain }
}

function hold(standing: Standing): Standing {
  return { ...standing, quarantined: standing.quarantined + 1 }
}

function fold(draft: Draft, before: Standing, event: RecordedEvent, newId: () => string): Standing {
  const { standing, snapshot } = foldEvent(before, event, newId)
  if (standing.score < before.promised)
    draft.falls.push({ agentId: before.agentId, score: standing.score, at: event.createdAt })
  if (!snapshot) return standing
  const { agentId, ownerId, score: previousScore } = before
  const { score: newScore, trigger: triggeredBy, createdAt } = snapshot
  draft.snapshots.push(snapshot)
  draft.notices.push(
    ...scoreNotices({ agentId, ownerId, previousScore, newScore, triggeredBy, createdAt }),
  )
  return standing
}
