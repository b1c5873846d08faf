import { z } from '@hono/zod-openapi'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { audit } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { Event, EventList, presentEvent } from '../events/schema.ts'
import { Reason } from '../operator/routes.ts'
import type { ScoreCache } from '../scores/cache.ts'
import { IdParams, PageQuery, pageAnswer, pageOf } from '../wire.ts'
import { appealEvent, reviewEvent } from './reviews.ts'

const ReviewBody = z
  .strictObject({ decision: z.enum(['released', 'upheld']), reason: Reason })
  .openapi('ReviewDecision')

const AppealBody = z
  .strictObject({
    statement: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .openapi({ example: 'The invoices are attached to the order.' }),
  })
  .openapi('Appeal')

const EVENT = { description: 'The event, with its review', schema: Event }

export function reviewRoutes(context: Context, scores: ScoreCache): readonly Route[] {
  const { store, cursors } = context

  const list = route({
    method: 'get',
    path: '/v1/operator/reviews',
    operationId: 'listReviews',
    tag: 'Operator',
    summary: 'Held events that await review, oldest first',
    description: 'Those appealed among them.',
    callers: ['operator'],
    query: PageQuery,
    answers: { 200: { description: 'A page of events', schema: EventList } },
    async handle({ query }) {
      const name = { list: 'reviews' }
      const { position, limit } = pageOf<[number, string]>(cursors, query, name)
      const after = position && { createdAt: position[0], id: position[1] }
      const page = await store.events.awaitingReview(after, limit)
      const positionOf = ({ createdAt, id }: (typeof page.rows)[number]) => [createdAt, id]
      return pageAnswer(cursors, page, name, presentEvent, positionOf)
    },
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
      if (agentId !== undefined) scores.forget(agentId)
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
      transact(async (within) =>
        ok(presentEvent(await appealEvent(within, context, caller.ownerId, id, body.statement))),
      ),
  })

  return [list, review, appeal]
}
