import { forbidden, notFound, TrustError } from '../../core/error.ts'
import { newEvidence } from '../../core/evidence.ts'
import { reviewNotice, scoreNotices } from '../../core/notices.ts'
import type { RecordedEvent, Review, ReviewDecision } from '../../core/record.ts'
import { scoreAt } from '../../core/score.ts'
import type { Snapshot, Standing, Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { revokeFallen } from '../credentials/revocation.ts'
import { foldEvent } from '../events/fold.ts'
import { firstLink, isSame } from '../proofs/chain.ts'

export interface Decision {
  readonly decision: ReviewDecision
  readonly reason: string
}

/** Within so many days of an upheld decision its subject's owner may appeal. */
const APPEAL_MS = 30 * 86_400_000

/** Decides on a held event: released it counts from its own time on, upheld it never does. */
export async function reviewEvent(
  store: Store,
  context: Context,
  eventId: string,
  { decision, reason }: Decision,
): Promise<RecordedEvent> {
  const { event, standing } = await lockEvent(store, eventId)
  const { review } = event
  if (!review || (review.status !== 'pending' && review.status !== 'appealed'))
    throw conflict('this event is not awaiting review', event)
  const decidedAt = Math.max(context.now(), standing.updatedAt)
  const decisions = [...review.decisions, { decision, reason, decidedAt }]
  const isReleased = decision === 'released'
  const reviewed: RecordedEvent = {
    ...event,
    isQuarantined: !isReleased,
    review: { ...review, status: decision, decisions },
  }
  await store.events.setReview(reviewed)
  if (isReleased) await rescore(store, context, standing, reviewed, decidedAt)
  const { ownerId } = standing
  await store.notices.insert([reviewNotice(ownerId, reviewed, decision, reason, decidedAt)])
  return reviewed
}

/** The subject's owner asks, once, to have an upheld event looked at again. */
export async function appealEvent(
  store: Store,
  { now }: Context,
  ownerId: string,
  eventId: string,
  statement: string,
): Promise<RecordedEvent> {
  const { event, standing } = await lockEvent(store, eventId)
  if (standing.ownerId !== ownerId) throw forbidden('this event is about another owner’s agent')
  const { review } = event
  const last = review?.decisions.at(-1)
  if (review?.appeal)
    throw conflict('this event was appealed before; an appeal is made once', event)
  if (review?.status !== 'upheld' || !last)
    throw conflict('only an event that a review upheld can be appealed', event)
  if (now() > last.decidedAt + APPEAL_MS)
    throw conflict('an appeal must come within 30 days of the decision', event)
  const appealed: Review = {
    ...review,
    status: 'appealed',
    appeal: { statement, createdAt: now() },
  }
  const changed = { ...event, review: appealed }
  await store.events.setReview(changed)
  return changed
}

function conflict(message: string, { id, review }: RecordedEvent): TrustError {
  return new TrustError('CONFLICT', message, { eventId: id, review: review?.status ?? null })
}

/** The event, with its agent's standing locked: whoever else decides on it waits. */
async function lockEvent(
  store: Store,
  eventId: string,
): Promise<{ event: RecordedEvent; standing: Standing }> {
  const found = await store.events.find(eventId)
  const standing = found && (await store.scores.lock(found.agentId))
  const event = standing && (await store.events.find(eventId))
  if (!event || !standing) throw notFound('event')
  return { event, standing }
}

/**
 * Folds the agent's whole log again, now that one more of its events counts, and corrects every
 * snapshot since, and the chain. The evidence is what it would have been, had the event never been
 * held.
 */
async function rescore(
  store: Store,
  { newId }: Context,
  standing: Standing,
  released: RecordedEvent,
  now: number,
): Promise<void> {
  const { registeredAt, startsAtMost } = standing.evidence
  const evidence = newEvidence(registeredAt, startsAtMost)
  const score = scoreAt(evidence, registeredAt).score
  const chain = firstLink({ agentId: standing.agentId, registeredAt, startsAtMost })
  let again: Standing = { ...standing, evidence, score, chain, snapshots: 0 }
  const corrected: Snapshot[] = []
  for await (const part of store.events.log(standing.agentId)) {
    const chained: RecordedEvent[] = []
    for (const event of part) {
      if (event.isQuarantined) continue
      const { standing: next, snapshot } = foldEvent(again, event, newId)
      again = next
      if (!isSame(event.chain, next.chain)) chained.push({ ...event, chain: next.chain })
      if (snapshot && event.seq >= released.seq) corrected.push({ ...snapshot, correctedAt: now })
    }
    if (chained.length > 0) await store.events.setChain(chained)
  }
  const { agentId, ownerId, score: previousScore } = standing
  await store.scores.replaceSnapshots(agentId, again.snapshots - corrected.length, corrected)
  await store.scores.save({ ...again, quarantined: standing.quarantined - 1, updatedAt: now })
  const triggeredBy = { kind: 'review', id: released.id, type: released.type } as const
  const newScore = again.score
  if (newScore < standing.promised) await revokeFallen(store, agentId, newScore, now)
  await store.notices.insert(
    scoreNotices({ agentId, ownerId, previousScore, newScore, triggeredBy, createdAt: now }),
  )
}
