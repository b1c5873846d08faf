import type { RouteSpecs } from '../../http/route.ts'
import { RotatedKey, RotateKeyBody } from '../agents/schema.ts'
import { PageQuery } from '../paging.ts'
import { IdParams } from '../wire.ts'
import {
  CreatePlatformBody,
  Discard,
  DiscardBody,
  OwnPlatform,
  Platform,
  PlatformList,
  PlatformWithKey,
  PublicPlatform,
  UpdatePlatformBody,
} from './schema.ts'

export const PLATFORM_SPECS = {
  getPlatform: {
    method: 'get',
    path: '/v1/platforms/{id}',
    tag: 'Events',
    summary: 'Get the name of a platform',
    description: 'Any credential. Events and explanations name their `reporter` by its id.',
    callers: ['owner', 'agent', 'platform', 'operator'],
    params: IdParams,
    responses: { 200: { description: 'The platform', schema: PublicPlatform } },
  },
  getOwnPlatform: {
    method: 'get',
    path: '/v1/platforms/me',
    tag: 'Events',
    summary: 'Get the platform of the API key',
    description:
      'Platform only. Returns its full record, with what its reports weigh (`established`, `agreement`).',
    callers: ['platform'],
    responses: { 200: { description: 'The platform', schema: OwnPlatform } },
  },
  createPlatform: {
    method: 'post',
    path: '/v1/operator/platforms',
    tag: 'Operator',
    summary: 'Create a platform',
    description:
      'Operator only. Returns the platform and its API key, which is shown only in this response. ' +
      'Its events have full weight once it is established: `verified`, or by its record.',
    callers: ['operator'],
    body: CreatePlatformBody,
    responses: { 201: { description: 'The platform and its API key', schema: PlatformWithKey } },
  },
  listPlatforms: {
    method: 'get',
    path: '/v1/operator/platforms',
    tag: 'Operator',
    summary: 'List the platforms, newest first',
    description: 'Operator only. Includes suspended platforms.',
    callers: ['operator'],
    query: PageQuery,
    responses: { 200: { description: 'A page of platforms', schema: PlatformList } },
  },
  updatePlatform: {
    method: 'patch',
    path: '/v1/operator/platforms/{id}',
    tag: 'Operator',
    summary: "Change a platform's name, tier, signing key, status or verification",
    description:
      'Operator only. Fields that are left out keep their value. The API keys of a suspended platform get ' +
      '`FORBIDDEN` with `details.reason` `platform_suspended`, and work again when it is active.',
    callers: ['operator'],
    params: IdParams,
    body: UpdatePlatformBody,
    responses: { 200: { description: 'The platform', schema: Platform } },
  },
  rotatePlatformKey: {
    method: 'post',
    path: '/v1/operator/platforms/{id}/rotate-key',
    tag: 'Operator',
    summary: 'Create a new API key for a platform',
    description:
      'Operator only. Returns the new key, which is shown only in this response. The previous key ' +
      'keeps working for `overlapSeconds`, one hour by default.',
    callers: ['operator'],
    params: IdParams,
    body: RotateKeyBody,
    responses: { 201: { description: 'The new key', schema: RotatedKey } },
  },
  discardReports: {
    method: 'post',
    path: '/v1/operator/platforms/{id}/discard',
    tag: 'Operator',
    summary: 'Discard everything that a platform has reported',
    description:
      'Operator only. For a platform whose key leaked, or that is hostile. It cannot be undone. ' +
      'The event `reports.discarded` is written into the log of each agent on which the platform has a ' +
      'vote. From then on the agent is scored as if the platform, with all platforms of its owner, had no ' +
      'vote yet, and keeps the tenure that its other votes have earned. Rotate its key or suspend it ' +
      'first: later reports count. The discard runs in the background. `discarded` of the platform gives its ' +
      'progress, and `finishedAt` when it finished. Reports in a vote that the platform shares with ' +
      'others stay. `CONFLICT` while another discard of the platform runs.',
    callers: ['operator'],
    params: IdParams,
    body: DiscardBody,
    responses: { 202: { description: 'What was begun', schema: Discard } },
    errors: ['CONFLICT'],
  },
} as const satisfies RouteSpecs
