import type { RecordedEvent, Review, ReviewDecision } from '../domain/agent.ts'
import { notFound, ofOtherOwner, TrustError } from '../domain/error.ts'
import { reviewNotification } from '../domain/notification.ts'
import { DAY_MS } from '../domain/time.ts'
import { addDecision } from '../fraud/reporter-stats.ts'
import { groupBy } from '../lib/group-by.ts'
import type { Sources } from '../lib/sources.ts'
import { existingState } from '../scoring/agent-state.ts'
import {
  correctionTime,
  type Recomputation,
  recomputeAfterReview,
} from '../scoring/recompute-after-review.ts'
import type { AgentState, FlaggedEvents, FlaggedPlace, Page, Store } from '../store/store.ts'

export interface Decision {
  readonly decision: ReviewDecision
  readonly reason: string
}

/** The agent's owner may appeal within this time after a decision to uphold. */
const APPEAL_DAYS = 30
export const APPEAL_MS = APPEAL_DAYS * DAY_MS

/**
 * A release folds everything behind the event. In one request this many events at most, a tenth of a second of
 * work: beyond that the decision is recorded, and carried out in the background.
 */
const FOLDED_MAX = 4_096

/**
 * Decides on a quarantined event: released it counts from its own time on, upheld it never does. A release
 * that takes long leaves the event quarantined until it is carried out.
 */
export async function reviewEvent(
  store: Store,
  sources: Sources,
  eventId: string,
  decision: Decision,
): Promise<RecordedEvent> {
  const event = await store.events.find({ id: eventId })
  if (!event) {
    throw notFound('event')
  }
  const [reviewed] = await reviewEvents(store, sources, [event], decision)
  if (reviewed) {
    return reviewed
  }
  const now = (await store.events.find({ id: eventId })) ?? event
  throw conflict('not_awaiting_review', 'this event is not awaiting review', now)
}

/**
 * Decides on those of these events that still await review, and returns them. What takes long comes
 * first, while reports about the agents go on; then each agent is locked for a moment.
 */
export async function reviewEvents(
  store: Store,
  sources: Sources,
  events: readonly RecordedEvent[],
  decision: Decision,
): Promise<readonly RecordedEvent[]> {
  const open = await lockOpen(store, events)
  const agentIds = [...new Set(open.map(({ agentId }) => agentId))].sort()
  const reviews: AgentReview[] = []
  let left = FOLDED_MAX
  for (const agentId of agentIds) {
    const own = open.filter((event) => event.agentId === agentId).sort((a, b) => a.seq - b.seq)
    const agentState = await existingState(store, agentId)
    const behind = agentState.seq - (own[0]?.seq ?? 0)
    // Releases of one agent are carried out one after the other.
    const isNow =
      decision.decision === 'released' &&
      behind <= left &&
      (await store.reviews.awaitingRelease(agentId)).length === 0
    left -= isNow ? behind : 0
    const recomputation = isNow ? await recomputeAfterReview(store, sources, agentState, own) : null
    reviews.push({ agentId, events: own, recomputation })
  }
  const reviewed: RecordedEvent[] = []
  for (const review of reviews) {
    reviewed.push(...(await finishReview(store, sources, review, decision)))
  }
  // Last, because all reports of these platforms wait for their rows.
  await noteReporters(store, reviewed, decision.decision)
  return reviewed
}

interface AgentReview {
  readonly agentId: string
  /** Those of its events that are decided on. */
  readonly events: readonly RecordedEvent[]
  /** Null where the decision changes no score, or not yet. */
  readonly recomputation: Recomputation | null
}

/** Writes the decisions under the agent's lock, corrects its score if it changes, and notifies its owner. */
async function finishReview(
  store: Store,
  { now }: Sources,
  { agentId, events, recomputation }: AgentReview,
  decision: Decision,
): Promise<readonly RecordedEvent[]> {
  const locked = await existingState(store, agentId, { lock: 'wait' })
  const at = correctionTime(locked, now())
  const decided = events.map((event) => decide(event, decision, at))
  const reviewed = recomputation
    ? await recomputation.finish(locked, decided, at)
    : await recorded(store, decided)
  const { ownerId } = locked
  await store.notifications.insertAll(
    reviewed.map((event) => reviewNotification(event, { ownerId, ...decision, createdAt: at })),
  )
  return reviewed
}

async function recorded(
  store: Store,
  decided: readonly RecordedEvent[],
): Promise<readonly RecordedEvent[]> {
  for (const event of decided) {
    await store.reviews.save(event)
  }
  return decided
}

/** Decided in one transaction, each agent's scores recomputed: a few seconds at most. */
export const REVIEWED_MAX = 100

/**
 * The oldest events awaiting review that match, for one transaction. It is called outside of it: where few match, it may
 * read the whole queue, page by page.
 */
export async function eventsToReview(
  store: Pick<Store, 'reviews'>,
  given: Omit<FlaggedEvents, 'list' | 'isOnlyRule'>,
  { decision }: Decision,
): Promise<Page<RecordedEvent>> {
  // A wrong rule says nothing about what other rules found in the same event.
  const isOnlyRule = decision === 'released' && given.rule !== undefined
  const of = { ...given, list: 'awaitingReview', isOnlyRule } as const
  const rows: RecordedEvent[] = []
  let after: FlaggedPlace | null = null
  while (true) {
    const found: Page<RecordedEvent> = await store.reviews.list(
      of,
      after,
      REVIEWED_MAX - rows.length,
    )
    rows.push(...found.rows)
    if (!found.end || rows.length === REVIEWED_MAX) {
      return { rows, more: found.more }
    }
    const [createdAt, id] = found.end
    after = { createdAt: Number(createdAt), id: String(id) }
  }
}

function isOpen({ review }: RecordedEvent): boolean {
  return review?.status === 'pending' || review?.status === 'appealed'
}

function decide(event: RecordedEvent, { decision, reason }: Decision, at: number): RecordedEvent {
  const { decisions = [], appeal = null, counted = null } = event.review ?? {}
  const review: Review = {
    status: decision,
    decisions: [...decisions, { decision, reason, decidedAt: at }],
    appeal,
    counted,
  }
  return { ...event, review }
}

/**
 * Makes other decisions on events of these agents wait, and reads the events again: another operator may
 * have decided meanwhile.
 */
async function lockOpen(
  store: Store,
  events: readonly RecordedEvent[],
): Promise<readonly RecordedEvent[]> {
  await store.reviews.lockReviewsOf([...new Set(events.map(({ agentId }) => agentId))])
  const open: RecordedEvent[] = []
  for (const { id } of events) {
    const event = await store.events.find({ id })
    if (event && isOpen(event)) {
      open.push(event)
    }
  }
  return open
}

/** Counts the decisions in the platforms' statistics. */
async function noteReporters(
  store: Store,
  reviewed: readonly RecordedEvent[],
  decision: ReviewDecision,
): Promise<void> {
  const reported = reviewed.filter(({ reporter }) => reporter.kind === 'platform')
  const byPlatform = groupBy(reported, ({ reporter }) => reporter.id)
  await store.reporters.change([...byPlatform.keys()], (stats, platformId) =>
    (byPlatform.get(platformId) ?? []).reduce(
      (sum, { review }) => addDecision(sum, decision, review?.decisions.at(-2)?.decision ?? null),
      stats,
    ),
  )
}

interface AppealInput {
  readonly ownerId: string
  readonly eventId: string
  readonly statement: string
}

/** The agent's owner requests, once, another review of an upheld event. */
export async function appealEvent(
  store: Store,
  { now }: Sources,
  { ownerId, eventId, statement }: AppealInput,
): Promise<RecordedEvent> {
  const { event, agentState } = await lockEvent(store, eventId)
  const at = now()
  if (agentState.ownerId !== ownerId) {
    throw ofOtherOwner('this event is about another owner’s agent')
  }
  const { review } = event
  const last = review?.decisions.at(-1)
  if (review?.appeal) {
    throw conflict(
      'appealed_before',
      'this event was appealed before; an event can be appealed once',
      event,
    )
  }
  if (review?.status !== 'upheld' || !last) {
    throw conflict('not_upheld', 'only an event that a review upheld can be appealed', event)
  }
  if (at > last.decidedAt + APPEAL_MS) {
    throw conflict(
      'appeal_late',
      `an appeal must come within ${APPEAL_DAYS} days of the decision`,
      event,
    )
  }
  const appealed: Review = {
    ...review,
    status: 'appealed',
    appeal: { statement, createdAt: at },
  }
  const changed = { ...event, review: appealed }
  await store.reviews.save(changed)
  return changed
}

function conflict(reason: string, message: string, { id, review }: RecordedEvent): TrustError {
  return new TrustError('CONFLICT', message, {
    reason,
    eventId: id,
    review: review?.status ?? null,
  })
}

async function lockEvent(
  store: Store,
  eventId: string,
): Promise<{ event: RecordedEvent; agentState: AgentState }> {
  const found = await store.events.find({ id: eventId })
  await store.reviews.lockReviewsOf(found ? [found.agentId] : [])
  const agentState = found && (await store.agentStates.find({ agentId: found.agentId }))
  const event = agentState && (await store.events.find({ id: eventId }))
  if (!event || !agentState) {
    throw notFound('event')
  }
  return { event, agentState }
}
