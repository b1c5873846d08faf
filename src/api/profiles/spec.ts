import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { LookupQueryParams } from '../lookup/schema.ts'
import { ANYONE, IdParams } from '../wire.ts'
import { BadgeQuery, PublicProfile } from './schema.ts'

export const SVG_TYPE = 'image/svg+xml'

export const PROFILE_SPECS = {
  getPublicProfile: {
    method: 'get',
    path: '/v1/agents/{id}/profile',
    tag: 'Agents',
    summary: 'Get the public profile of an agent',
    description:
      'No credential needed. Returns what the page `/agents/{id}` shows. `NOT_FOUND` unless the ' +
      'owner has made the profile public (`publicProfile`) and the agent is not deactivated. Costs one lookup.',
    callers: ANYONE,
    params: IdParams,
    isPublic: true,
    responses: { 200: { description: 'The profile', schema: PublicProfile } },
  },
  getBadge: {
    method: 'get',
    path: '/v1/agents/{id}/badge.svg',
    tag: 'Scores',
    summary: 'Get the score of an agent as a badge',
    description:
      'No credential needed. Returns a picture of 20 pixels for a README or a web page. An agent with ' +
      'little evidence has a grey, dashed badge at any score. Costs one lookup.',
    callers: ANYONE,
    params: IdParams,
    query: BadgeQuery,
    isPublic: true,
    responses: {
      200: { description: 'The badge', contentType: SVG_TYPE, schema: z.string() },
    },
  },
  getBadgeByIdentifier: {
    method: 'get',
    path: '/v1/badge.svg',
    tag: 'Scores',
    summary: 'Get the score of an agent as a badge, by a name of it',
    description:
      'No credential needed. The same badge for the agent that has proven this identifier; `NOT_FOUND` ' +
      'where none has. Costs one lookup.',
    callers: ANYONE,
    query: BadgeQuery.extend(LookupQueryParams.shape),
    isPublic: true,
    responses: {
      200: { description: 'The badge', contentType: SVG_TYPE, schema: z.string() },
    },
    errors: ['NOT_FOUND'],
  },
} as const satisfies RouteSpecs
