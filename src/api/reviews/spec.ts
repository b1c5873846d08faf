import type { RouteSpecs } from '../../http/route.ts'
import { REVIEWED_MAX } from '../../reviews/reviews.ts'
import { Event } from '../events/schema.ts'
import { IdParams } from '../wire.ts'
import {
  AppealBody,
  BulkReviewAnswer,
  BulkReviewBody,
  QuarantinedScore,
  ReviewBody,
  ReviewList,
  ReviewQueryParams,
} from './schema.ts'

const EVENT = { description: 'The event with its review', schema: Event }
const PAGE = { 200: { description: 'A page of events', schema: ReviewList } }

export const REVIEW_SPECS = {
  listReviews: {
    method: 'get',
    path: '/v1/operator/reviews',
    tag: 'Operator',
    summary: 'List the quarantined events that await review, oldest first',
    description:
      'Operator only. Returns each event with the findings of the rules and the history of its agent ' +
      'and its reporter.',
    callers: ['operator'],
    query: ReviewQueryParams,
    responses: PAGE,
  },
  listFindings: {
    method: 'get',
    path: '/v1/operator/findings',
    tag: 'Operator',
    summary: 'List the events with a finding of any rule, newest first',
    description:
      'Operator only. Includes events that a rule in shadow mode found and did not quarantine, and ' +
      'conflicting reports.',
    callers: ['operator'],
    query: ReviewQueryParams,
    responses: PAGE,
  },
  reviewEvent: {
    method: 'post',
    path: '/v1/operator/events/{id}/review',
    tag: 'Operator',
    summary: 'Release or uphold a quarantined event',
    description:
      'Operator only. A released event counts from its own time on, and every score since is ' +
      'corrected; an upheld event never counts. A release that has more than some thousand events to ' +
      'correct is carried out in the background: 202, and the event has `isQuarantined` until it ' +
      'counts. `CONFLICT` when the event does not await review.',
    callers: ['operator'],
    params: IdParams,
    body: ReviewBody,
    responses: {
      200: EVENT,
      202: { description: 'The event, which is released and does not count yet', schema: Event },
    },
    errors: ['CONFLICT'],
  },
  reviewEvents: {
    method: 'post',
    path: '/v1/operator/reviews/bulk',
    tag: 'Operator',
    summary: 'Release or uphold many quarantined events at once',
    description:
      `Operator only. Decides on the oldest ${REVIEWED_MAX} events that match the filter, all or none; ` +
      'call it again while `more` is true. Releasing by `rule` skips events that another rule ' +
      'quarantines too. Released events that have `isQuarantined` in the response count later, as after ' +
      'a single review.',
    callers: ['operator'],
    body: BulkReviewBody,
    responses: { 200: { description: 'The events decided on', schema: BulkReviewAnswer } },
  },
  appealEvent: {
    method: 'post',
    path: '/v1/events/{id}/appeal',
    tag: 'Events',
    summary: 'Appeal the decision on an upheld event',
    description:
      'The owner of the agent only, once and within 30 days of the decision; otherwise `CONFLICT`. ' +
      'The event awaits review again, and the next decision is final.',
    callers: ['owner'],
    permission: 'report',
    params: IdParams,
    body: AppealBody,
    responses: { 200: EVENT },
    errors: ['CONFLICT'],
  },
  getQuarantinedScore: {
    method: 'get',
    path: '/v1/agents/{id}/score/quarantined',
    tag: 'Scores',
    summary: 'Get the score as if the events awaiting review counted',
    description:
      'The agent itself, its owner and the operator only; `FORBIDDEN` for other callers. Returns the ' +
      'current score. Costs no lookup. Where it has to be computed from a long log first: 503 ' +
      'with the reason `computing`, and the score a moment later.',
    callers: ['agent', 'owner', 'operator'],
    params: IdParams,
    responses: { 200: { description: 'Both scores', schema: QuarantinedScore } },
  },
} as const satisfies RouteSpecs
