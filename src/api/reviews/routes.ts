import type { Context } from '../../context.ts'
import type { RecordedEvent } from '../../domain/agent.ts'
import { forbidden, notFound } from '../../domain/error.ts'
import { MODEL } from '../../domain/model.ts'
import { scoreAt } from '../../domain/score.ts'
import { ok, type Response } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import type { z } from '../../http/schema.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import { appealEvent, reviewEvent, reviewEvents } from '../../reviews/reviews.ts'
import { scoreWithQuarantined } from '../../scoring/recompute-after-review.ts'
import type { ScoreCache } from '../../scoring/score-cache.ts'
import type { ReviewQuery, Store } from '../../store/store.ts'
import { audit, auditRow } from '../audit/routes.ts'
import { Event, presentEvent } from '../events/schema.ts'
import { presentScore } from '../scores/schema.ts'
import { IdParams, pageAnswer, pageOf } from '../wire.ts'
import {
  AppealBody,
  BULK_MAX,
  BulkReviewAnswer,
  BulkReviewBody,
  presentReviewItem,
  QuarantinedScore,
  ReviewBody,
  ReviewList,
  ReviewQueryParams,
} from './schema.ts'

const EVENT = { description: 'The event, with its review', schema: Event }

export interface ReviewRoutesOptions {
  readonly context: Context
  readonly scores: ScoreCache
  readonly refolds: Semaphore
}

export function reviewRoutes({ context, scores, refolds }: ReviewRoutesOptions): readonly Route[] {
  const { store, cursors, now } = context

  type Find = 'awaitingReview' | 'found'

  async function page(find: Find, query: z.output<typeof ReviewQueryParams>): Promise<Response> {
    const { cursor: _, limit: __, ...filter } = query
    const name = { list: find, ...filter }
    const { position, limit } = pageOf<[number, string]>(cursors, query, name)
    const last = position && { createdAt: position[0], id: position[1] }
    const found = await store.events[find]({ ...filter, position: last, limit })
    const present = await presenter(store, found.rows)
    const positionOf = ({ createdAt, id }: RecordedEvent) => [createdAt, id]
    return pageAnswer(cursors, found, name, present, positionOf)
  }

  const list = route({
    method: 'get',
    path: '/v1/operator/reviews',
    operationId: 'listReviews',
    tag: 'Operator',
    summary: 'Held events that await review, oldest first',
    description: 'Each with what the rules found, beside what is known of its agent and reporter.',
    callers: ['operator'],
    query: ReviewQueryParams,
    answers: { 200: { description: 'A page of events', schema: ReviewList } },
    handle: ({ query }) => page('awaitingReview', query),
  })

  const findings = route({
    method: 'get',
    path: '/v1/operator/findings',
    operationId: 'listFindings',
    tag: 'Operator',
    summary: 'Events in which a rule found something, held or only noted, newest first',
    description: 'How a rule in shadow mode is judged, and where conflicting reports surface.',
    callers: ['operator'],
    query: ReviewQueryParams,
    answers: { 200: { description: 'A page of events', schema: ReviewList } },
    handle: ({ query }) => page('found', query),
  })

  const review = route({
    method: 'post',
    path: '/v1/operator/events/{id}/review',
    operationId: 'reviewEvent',
    tag: 'Operator',
    summary: 'Decide on a held event',
    description:
      'Released it counts from its own time on, and every score since is corrected; upheld it never counts.',
    callers: ['operator'],
    params: IdParams,
    body: ReviewBody,
    answers: { 200: EVENT },
    errors: ['CONFLICT'],
    async handle({ caller, params: { id }, body, transact }) {
      let agentId: string | undefined
      const answer = await transact(async (within) => {
        const event = await reviewEvent(within, context, id, body)
        await audit(within, context, caller, 'event.reviewed', { kind: 'event', id }, body)
        agentId = event.agentId
        return ok(presentEvent(event))
      })
      if (agentId !== undefined) {
        scores.forget(agentId)
      }
      return answer
    },
  })

  const bulk = route({
    method: 'post',
    path: '/v1/operator/reviews/bulk',
    operationId: 'reviewEvents',
    tag: 'Operator',
    summary: 'Decide on held events by rule, agent, reporter and time span',
    description: `The oldest ${BULK_MAX} of them, all or none; ask again while there are more. Released by a rule is only what no other rule holds.`,
    callers: ['operator'],
    body: BulkReviewBody,
    answers: { 200: { description: 'What was decided on', schema: BulkReviewAnswer } },
    async handle({ caller, body, transact }) {
      const { decision, reason, ...filter } = body
      // Whoever finds a rule wrong has not looked at what another one found.
      const isOnlyRule = decision === 'released' && filter.rule !== undefined
      const query: ReviewQuery = { ...filter, isOnlyRule, position: null, limit: BULK_MAX }
      let reviewed: readonly RecordedEvent[] = []
      const answer = await transact(async (within) => {
        const { rows, more } = await within.events.awaitingReview(query)
        reviewed = await reviewEvents(within, context, rows, { decision, reason })
        await within.audit.insert(
          reviewed.map(({ id }) =>
            auditRow(context, caller, 'event.reviewed', { kind: 'event', id }, body),
          ),
        )
        return ok({ reviewed: reviewed.length, more, data: reviewed.map(presentEvent) })
      })
      for (const { agentId } of reviewed) {
        scores.forget(agentId)
      }
      return answer
    },
  })

  const appeal = route({
    method: 'post',
    path: '/v1/events/{id}/appeal',
    operationId: 'appealEvent',
    tag: 'Events',
    summary: 'Appeal an upheld event, once, within 30 days',
    description: 'The event awaits review again, and the decision that follows is the last.',
    callers: ['owner'],
    params: IdParams,
    body: AppealBody,
    answers: { 200: EVENT },
    errors: ['CONFLICT'],
    handle: ({ caller, params: { id }, body, transact }) =>
      transact(async (within) => {
        const event = await appealEvent(within, context, caller.ownerId, id, body.statement)
        await audit(within, context, caller, 'event.appealed', { kind: 'event', id })
        return ok(presentEvent(event))
      }),
  })

  const held = route({
    method: 'get',
    path: '/v1/agents/{id}/score/held',
    operationId: 'getHeldScore',
    tag: 'Scores',
    summary: 'The score as it would be if the events that await review counted',
    description: 'For the agent itself and its owner. Costs no lookup.',
    callers: ['agent', 'owner', 'operator'],
    params: IdParams,
    answers: { 200: { description: 'Both scores', schema: QuarantinedScore } },
    async handle({ caller, params: { id } }) {
      const agentState = await store.scores.find(id)
      if (!agentState) {
        throw notFound('agent')
      }
      const isTheirs =
        caller.kind === 'operator' ||
        (caller.kind === 'agent' ? caller.agentId === id : caller.ownerId === agentState.ownerId)
      if (!isTheirs) {
        throw forbidden('only the agent itself and its owner see what is held')
      }
      const all = await refolds.run(() => scoreWithQuarantined(store, context, agentState))
      const at = Math.max(now(), agentState.updatedAt)
      const present = (one: typeof agentState) =>
        presentScore(one, scoreAt(MODEL, one.evidence, at), at)
      return ok({
        heldEvents: all.held,
        current: present(agentState),
        withHeld: present({
          ...all.agentState,
          quarantinedCount: agentState.quarantinedCount - all.held,
        }),
      })
    },
  })

  return [list, findings, review, bulk, appeal, held]
}

/** Presents each event beside its agent's and its reporter's history. */
async function presenter(store: Store, events: readonly RecordedEvent[]) {
  const agentIds = [...new Set(events.map(({ agentId }) => agentId))]
  const platforms = events.filter(({ reporter }) => reporter.kind === 'platform')
  const platformIds = [...new Set(platforms.map(({ reporter }) => reporter.id))]
  const agentStates = await store.scores.findMany(agentIds)
  const records = await store.reporters.findMany(platformIds)
  return (event: RecordedEvent) =>
    presentReviewItem(event, agentStates.get(event.agentId), records.get(event.reporter.id))
}
