import type { RouteSpecs } from '../../http/route.ts'
import { checkSpan, RangeQuery } from '../paging.ts'
import { ANYONE, IdParams } from '../wire.ts'
import { ExplanationQuery, ScoreExplanation } from './explanation-schema.ts'
import {
  BatchAnswer,
  BatchBody,
  Score,
  ScoreQueryParams,
  ScoreSeries,
  SeriesQueryParams,
  SnapshotList,
  Tiers,
} from './schema.ts'

const LOOKUP =
  'Costs one lookup; `RATE_LIMIT_EXCEEDED` with `details.limit` `lookups_per_month` when the month’s ' +
  'lookups are used up.'

const GET_SCORE = {
  method: 'get',
  tag: 'Scores',
  callers: ANYONE,
  params: IdParams,
  query: ScoreQueryParams,
  isPublic: true,
  responses: { 200: { description: 'The score', schema: Score } },
} as const

export const SCORE_SPECS = {
  getScore: {
    ...GET_SCORE,
    path: '/v1/agents/{id}/score',
    summary: 'Get the score of an agent',
    description:
      'No credential needed. Returns the score with its breakdown, interval and forecast. With `at` ' +
      `returns the score as of that time. ${LOOKUP}`,
  },
  getScoreById: {
    ...GET_SCORE,
    path: '/v1/scores/{id}',
    summary: 'Get the score of an agent, by its own path',
    description: `The same as \`GET /v1/agents/{id}/score\`. No credential needed. ${LOOKUP}`,
  },
  getScoreHistory: {
    method: 'get',
    path: '/v1/agents/{id}/score/history',
    tag: 'Scores',
    summary: 'List the score history of an agent, newest first',
    description:
      'No credential needed. Returns one snapshot for each event or review that changed the score. ' +
      LOOKUP,
    callers: ANYONE,
    params: IdParams,
    query: RangeQuery.superRefine(checkSpan),
    isPublic: true,
    responses: { 200: { description: 'A page of snapshots', schema: SnapshotList } },
  },
  getScoreSeries: {
    method: 'get',
    path: '/v1/agents/{id}/score/series',
    tag: 'Scores',
    summary: 'Get the score of an agent at evenly spaced times',
    description:
      'No credential needed. Returns the score with its interval at each time from `from` to `to`, both ' +
      'included: computed by the current model from the events received until then, as corrected by ' +
      `later reviews. For a chart of any span in one request. ${LOOKUP}`,
    callers: ANYONE,
    params: IdParams,
    query: SeriesQueryParams,
    isPublic: true,
    responses: { 200: { description: 'The scores, oldest first', schema: ScoreSeries } },
  },
  getScores: {
    method: 'post',
    path: '/v1/scores/batch',
    queue: 'read',
    writes: false,
    tag: 'Scores',
    summary: 'Get the scores of up to 100 agents',
    description:
      'No credential needed. Returns the scores in the order requested, each agent once, and lists ' +
      'unknown ids, and those of the other mode, in `notFound`. Costs one lookup for each agent found.',
    callers: ANYONE,
    body: BatchBody,
    isPublic: true,
    responses: {
      200: { description: 'The scores, and the ids that were not found', schema: BatchAnswer },
    },
  },
  getClassifications: {
    method: 'get',
    path: '/v1/scores/classifications',
    tag: 'Scores',
    summary: 'List the score tiers, best first',
    description:
      'No credential needed. Returns each tier with its range and meaning. Costs no lookup.',
    callers: ANYONE,
    isPublic: true,
    responses: { 200: { description: 'The tiers', schema: Tiers } },
  },
} as const satisfies RouteSpecs

export const EXPLANATION_SPECS = {
  explainScore: {
    method: 'get',
    path: '/v1/agents/{id}/score/explanation',
    tag: 'Scores',
    summary: 'Explain the score of an agent',
    description:
      'No credential needed. Returns what each dimension and event type contributed, the main ' +
      'reasons, and what would change the score. The agent itself, its owner and the operator also ' +
      `get the contribution of each reporter and the most influential events. ${LOOKUP}`,
    callers: ANYONE,
    params: IdParams,
    query: ExplanationQuery,
    isPublic: true,
    responses: { 200: { description: 'The explanation', schema: ScoreExplanation } },
    errors: ['FORBIDDEN'],
  },
} as const satisfies RouteSpecs
