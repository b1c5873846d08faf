import { createHash } from 'node:crypto'
import { forbidden, notFound, TrustError } from '../../core/error.ts'
import type { Reporter } from '../../core/events.ts'
import { type HourCount, NO_HOUR } from '../../core/limits.ts'
import { eventNotices, type Notice, scoreNotices } from '../../core/notices.ts'
import { PENDING_REVIEW, type RecordedEvent } from '../../core/record.ts'
import { canonicalData } from '../../fraud/digest.ts'
import { remember } from '../../fraud/habits.ts'
import type { Attestation, InspectedEvent } from '../../fraud/rule.ts'
import { inspect } from '../../fraud/rules.ts'
import type { Answer } from '../../http/answer.ts'
import { inProgress } from '../../http/idempotency.ts'
import type { Keeping } from '../../http/route.ts'
import {
  externalKey,
  type IngestResult,
  type IngestView,
  type KeptResponse,
  type Snapshot,
  type Standing,
} from '../../store/store.ts'
import type { Policy } from '../context.ts'
import { foldEvent } from './fold.ts'
import { countInHours } from './hours.ts'
import type { EventInput } from './schema.ts'

/** The events of one request, from one reporter about one agent. */
export interface Submission {
  readonly agentId: string
  readonly reporter: Reporter
  /** Who runs the platform that reports, if an owner does. */
  readonly reporterOwnerId: string | null
  readonly attestation: Attestation
  readonly events: readonly EventInput[]
  readonly keeping: Keeping | null
  /**
   * What the service notes down of its own doings, such as a credential that was revoked: no status
   * of the agent refuses it, and it takes no place in the hour that reporters share.
   */
  readonly isOwnNote?: boolean
  /** What the request is answered, once it is known what became of each event. */
  readonly answer: (outcomes: readonly Outcome[]) => Answer
}

/** What became of one event. */
export type Outcome =
  | { readonly event: RecordedEvent; readonly isNew: boolean }
  | { readonly refusal: TrustError }

export interface Judged extends IngestResult {
  /** For each submission its answer, or why it got none. */
  readonly answers: readonly (Answer | TrustError)[]
  /** Scores that fell below what a living score credential claims. */
  readonly falls: readonly Fall[]
}

export interface Fall {
  readonly agentId: string
  readonly score: number
  readonly at: number
}

export interface JudgeOptions {
  readonly now: number
  readonly newId: () => string
  readonly policy: Policy
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
  const draft: Draft = {
    standings: new Map(view.standings),
    platformHours: new Map(view.platformHours),
    known: new Map(view.known),
    kept: new Map(view.kept),
    touched: new Set(),
    counted: new Set(),
    events: [],
    snapshots: [],
    notices: [],
    keeps: [],
    falls: [],
  }
  const answers = submissions.map((submission) => answerOnce(draft, submission, options))
  return {
    standings: pick(draft.standings, draft.touched),
    platformHours: [...draft.counted].map((platformId) => ({
      platformId,
      hour: draft.platformHours.get(platformId) ?? NO_HOUR,
    })),
    events: draft.events,
    snapshots: draft.snapshots,
    notices: draft.notices,
    kept: draft.keeps,
    answers,
    falls: draft.falls,
  }
}

/** The view as it changes while one event after the other is folded, and what is to be written. */
interface Draft {
  readonly standings: Map<string, Standing>
  readonly platformHours: Map<string, HourCount>
  readonly known: Map<string, { readonly event: RecordedEvent; readonly digest: Uint8Array }>
  readonly kept: Map<string, KeptResponse | 'busy'>
  readonly touched: Set<string>
  readonly counted: Set<string>
  readonly events: { readonly event: RecordedEvent; readonly digest: Uint8Array | null }[]
  readonly snapshots: Snapshot[]
  readonly notices: Notice[]
  readonly keeps: KeptResponse[]
  readonly falls: Fall[]
}

function pick<T>(all: ReadonlyMap<string, T>, names: ReadonlySet<string>): readonly T[] {
  return [...all].flatMap(([name, value]) => (names.has(name) ? [value] : []))
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
  const outcomes = submission.events.map((input) => takeIn(draft, submission, input, options))
  return submission.answer(outcomes)
}

function checkStatus({ status }: Standing, reporter: Reporter): void {
  if (status === 'deactivated')
    throw forbidden('this agent is deactivated; no event is taken', { reason: 'agent_deactivated' })
  // A platform may still say what a suspended agent does; the agent itself has no say.
  if (status === 'suspended' && reporter.kind !== 'platform')
    throw forbidden('this agent is suspended; it cannot report', { reason: 'agent_suspended' })
}

function takeIn(
  draft: Draft,
  submission: Submission,
  input: EventInput,
  options: JudgeOptions,
): Outcome {
  const digest = input.externalId ? contentDigest(submission.agentId, input) : null
  const known = input.externalId && draft.known.get(nameOf(submission, input.externalId))
  if (known && digest) {
    if (Buffer.compare(known.digest, digest) === 0) return { event: known.event, isNew: false }
    return { refusal: taken(input.externalId ?? '', known.event) }
  }
  const refusal = submission.isOwnNote ? null : countInHours(draft, submission, options)
  if (refusal) return { refusal }
  const event = record(draft, submission, input, options)
  draft.events.push({ event, digest })
  if (event.externalId !== null && digest)
    draft.known.set(nameOf(submission, event.externalId), { event, digest })
  return { event, isNew: true }
}

function nameOf({ reporter }: Submission, externalId: string): string {
  return externalKey({ reporterId: reporter.id, externalId })
}

/** What an event says, so that the same id with other words is noticed. */
function contentDigest(agentId: string, input: EventInput): Uint8Array {
  const content = [agentId, input.type, input.occurredAt ?? '', canonicalData(input.data ?? {})]
  return createHash('sha256').update(content.join('\n')).digest()
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
  { now, newId }: JudgeOptions,
): RecordedEvent {
  const { agentId, reporter, attestation } = submission
  const standing = draft.standings.get(agentId)
  if (!standing) throw notFound('agent')
  const at = Math.max(now, standing.updatedAt)
  const inspected: InspectedEvent = {
    type: input.type,
    data: input.data ?? {},
    reporter,
    self: reporter.kind !== 'platform' || submission.reporterOwnerId === standing.ownerId,
    occurredAt: input.occurredAt ?? at,
    occurredAtGiven: input.occurredAt !== undefined,
    externalId: input.externalId ?? null,
    attestation,
    at,
  }
  const { flags, reason } = inspect(inspected, standing.habits)
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
    externalId: inspected.externalId,
    fraudFlags: flags,
    quarantineReason: reason,
    isQuarantined,
    attestationVerified: attestation === 'valid',
    review: isQuarantined ? PENDING_REVIEW : null,
    chain: null,
  }
  const habits = remember(standing.habits, inspected)
  const seen = { ...standing, habits, seq: event.seq, updatedAt: at }
  draft.notices.push(...eventNotices(standing.ownerId, event))
  const after = isQuarantined ? hold(seen) : fold(draft, seen, event, newId)
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
