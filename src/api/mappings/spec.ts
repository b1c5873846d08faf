import { STANDARD_MAPPINGS } from '../../domain/mapping.ts'
import type { RouteSpecs } from '../../http/route.ts'
import { CLOUD_EVENTS_TYPE, CloudEventBatch } from '../events/cloud-event.ts'
import { PageQuery } from '../paging.ts'
import { ANYONE } from '../wire.ts'
import {
  DryRunBody,
  DryRunResult,
  InletParams,
  MappedAnswer,
  Mapping,
  MappingBody,
  MappingList,
  MappingParams,
  Payload,
} from './schema.ts'

const STANDARD = STANDARD_MAPPINGS.map((name) => `\`${name}\``).join(' and ')

const MAPPING = { description: 'The mapping', schema: Mapping }

const TAKEN =
  'The mapping turns the payload into a report, which counts once under the name that its source gave it. ' +
  'A payload for which no rule holds is ignored. An error names the part of the mapping that found no ' +
  'value or a wrong one.'

export const MAPPING_SPECS = {
  putMapping: {
    method: 'put',
    path: '/v1/platforms/me/mappings/{name}',
    tag: 'Mappings',
    summary: 'Store how foreign JSON becomes reports',
    description:
      'Platform only. Replaces the mapping of that name as a whole. It is refused unless `sample` ' +
      `becomes a report by it. The names ${STANDARD} are for the endpoints of these standards. ` +
      '`FORBIDDEN` with `details.limit` `max_mappings` when there are too many.',
    callers: ['platform'],
    params: MappingParams,
    body: MappingBody,
    responses: { 200: MAPPING, 201: { description: 'The new mapping', schema: Mapping } },
  },
  getMapping: {
    method: 'get',
    path: '/v1/platforms/me/mappings/{name}',
    tag: 'Mappings',
    summary: 'Get a mapping',
    description: 'Platform only: its own. The secret of a sender is not shown.',
    callers: ['platform'],
    params: MappingParams,
    responses: { 200: MAPPING },
  },
  listMappings: {
    method: 'get',
    path: '/v1/platforms/me/mappings',
    tag: 'Mappings',
    summary: 'List the mappings, by name',
    description: 'Platform only: its own.',
    callers: ['platform'],
    query: PageQuery,
    responses: { 200: { description: 'A page of mappings', schema: MappingList } },
  },
  deleteMapping: {
    method: 'delete',
    path: '/v1/platforms/me/mappings/{name}',
    tag: 'Mappings',
    summary: 'Delete a mapping',
    description: 'Platform only: its own, with what it remembered. Reports that were made stay.',
    callers: ['platform'],
    params: MappingParams,
    responses: { 204: { description: 'The mapping is deleted' } },
  },
  tryMapping: {
    method: 'post',
    path: '/v1/platforms/me/mappings/{name}/dry-run',
    queue: 'read',
    writes: false,
    tag: 'Mappings',
    summary: 'See what a payload would become',
    description:
      'Platform only. Nothing is reported or stored. `rules` take the place of the stored mapping, which ' +
      'need not exist then.',
    callers: ['platform'],
    params: MappingParams,
    body: DryRunBody,
    responses: { 200: { description: 'What it would become', schema: DryRunResult } },
  },
  submitPayload: {
    method: 'post',
    path: '/v1/mappings/{name}/events',
    queue: 'write',
    recordsReports: true,
    tag: 'Mappings',
    summary: 'Report by a mapping, with an API key',
    description: `Platform only. ${TAKEN} A batch of CloudEvents is accepted too, each event on its own.`,
    callers: ['platform'],
    params: MappingParams,
    body: Payload,
    otherBodies: { [CLOUD_EVENTS_TYPE]: CloudEventBatch },
    responses: { 200: { description: 'What came of it', schema: MappedAnswer } },
    errors: ['CONFLICT'],
  },
  submitSignedPayload: {
    method: 'post',
    path: '/v1/platforms/{id}/mappings/{name}/events',
    queue: 'write',
    recordsReports: true,
    tag: 'Mappings',
    summary: 'Report by a mapping, signed by the sender',
    description:
      'For senders that cannot send an API key: the body is signed with the secret of the mapping, as ' +
      `Stripe, GitHub or Standard Webhooks do. ${TAKEN}`,
    callers: ANYONE,
    params: InletParams,
    body: Payload,
    responses: { 200: { description: 'What came of it', schema: MappedAnswer } },
    errors: ['AUTHENTICATION_REQUIRED', 'FORBIDDEN', 'CONFLICT'],
  },
} as const satisfies RouteSpecs
