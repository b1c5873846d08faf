import type { RouteSpecs } from '../../http/route.ts'
import { ANYONE } from '../wire.ts'
import { Lookup, LookupAnswer, LookupBody, LookupQueryParams } from './schema.ts'

const ANSWER =
  'Unknown is an answer, not an error. A claim that nobody has proven leads to no agent.'

export const LOOKUP_SPECS = {
  lookUp: {
    method: 'get',
    path: '/v1/lookup',
    tag: 'Identifiers',
    summary: 'Find an agent and its score by a name',
    description: `No credential needed. ${ANSWER} Costs one lookup.`,
    callers: ANYONE,
    query: LookupQueryParams,
    isPublic: true,
    responses: { 200: { description: 'What is known of the name', schema: Lookup } },
  },
  lookUpMany: {
    method: 'post',
    path: '/v1/lookup',
    room: 'read',
    tag: 'Identifiers',
    summary: 'Find up to 100 agents and their scores by name',
    description:
      `No credential needed. Answers in the order asked, each name once. ${ANSWER} Costs one ` +
      'lookup for each name.',
    callers: ANYONE,
    body: LookupBody,
    isPublic: true,
    responses: { 200: { description: 'What is known of each name', schema: LookupAnswer } },
  },
} as const satisfies RouteSpecs
