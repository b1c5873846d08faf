import type { RouteSpecs } from '../../http/route.ts'
import { ANYONE } from '../wire.ts'
import { Lookup, LookupAnswer, LookupBody, LookupQueryParams } from './schema.ts'

const ANSWER =
  'An unknown name is a result, not an error. A claim without a proof leads to no agent.'

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
    responses: { 200: { description: 'The agent that the name leads to, if any', schema: Lookup } },
  },
  lookUpMany: {
    method: 'post',
    path: '/v1/lookup',
    queue: 'read',
    writes: false,
    tag: 'Identifiers',
    summary: 'Find up to 100 agents and their scores by name',
    description:
      `No credential needed. Answers in the order asked, each name once. ${ANSWER} Costs one ` +
      'lookup for each name.',
    callers: ANYONE,
    body: LookupBody,
    isPublic: true,
    responses: {
      200: { description: 'The agent that each name leads to, if any', schema: LookupAnswer },
    },
  },
} as const satisfies RouteSpecs
