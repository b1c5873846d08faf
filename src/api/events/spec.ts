import { EVENT_STREAM_TYPE } from '../../http/event-stream.ts'
import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { checkSpan } from '../paging.ts'
import { IdParams } from '../wire.ts'
import { CLOUD_EVENT_TYPE, CLOUD_EVENTS_TYPE, CloudEvent, CloudEventBatch } from './cloud-event.ts'
import { EventBatchBody, EventBody } from './input-schema.ts'
import {
  Event,
  EventBatchAnswer,
  EventList,
  EventQueryParams,
  OwnEventQueryParams,
  REPORTED_DAYS,
} from './schema.ts'

const EVENT_ACCEPTED = {
  201: {
    description: 'The event. A quarantined event was accepted too, and waits for review',
    schema: Event,
  },
  200: { description: 'The event first reported with this externalId', schema: Event },
}
const BATCH_ACCEPTED = {
  200: { description: 'The outcome of each event', schema: EventBatchAnswer },
}

const SINGLE =
  'A retry with the same `externalId` and content returns the first event with 200 and counts once; ' +
  'other content is `CONFLICT`. An event that a fraud rule quarantines is accepted with 201 and does ' +
  'not count until it is reviewed. A CloudEvent is accepted too; `source` and `id` become the ' +
  '`externalId`. `RATE_LIMIT_EXCEEDED` with `details.limit` ' +
  '`events_per_agent_hour` after 100 events an hour from one reporter about one agent'
const PLATFORM_LIMIT = '`events_per_platform_hour` after 1,000 events an hour from one platform'
const BATCH =
  'Each event is accepted or rejected on its own; a rejected one has no effect on the others and is ' +
  'listed in `errors` by its index. A batch of CloudEvents is accepted too; `source` and `id` ' +
  'become the `externalId`.'

const CLOUD_EVENT = { [CLOUD_EVENT_TYPE]: CloudEvent }
const CLOUD_EVENTS = { [CLOUD_EVENTS_TYPE]: CloudEventBatch }

const PAGE = { 200: { description: 'A page of events', schema: EventList } }

export const EVENT_SPECS = {
  reportOwnEvent: {
    method: 'post',
    path: '/v1/events',
    queue: 'write',
    recordsReports: true,
    tag: 'Events',
    summary: 'Report an event about the calling agent, at a tenth of the weight',
    description: `Agent only. ${SINGLE}.`,
    callers: ['agent'],
    body: EventBody,
    otherBodies: CLOUD_EVENT,
    responses: EVENT_ACCEPTED,
    errors: ['CONFLICT'],
  },
  reportOwnEvents: {
    method: 'post',
    path: '/v1/events/batch',
    queue: 'write',
    recordsReports: true,
    tag: 'Events',
    summary: 'Report up to 100 events about the calling agent',
    description: `Agent only. ${BATCH}`,
    callers: ['agent'],
    body: EventBatchBody,
    otherBodies: CLOUD_EVENTS,
    responses: BATCH_ACCEPTED,
  },
  reportEvent: {
    method: 'post',
    path: '/v1/agents/{id}/events',
    queue: 'write',
    recordsReports: true,
    tag: 'Events',
    summary: 'Report an event about an agent, at full weight',
    description: `Platform only. ${SINGLE}, and with ${PLATFORM_LIMIT}.`,
    callers: ['platform'],
    params: IdParams,
    body: EventBody,
    otherBodies: CLOUD_EVENT,
    responses: EVENT_ACCEPTED,
    errors: ['CONFLICT'],
  },
  reportEvents: {
    method: 'post',
    path: '/v1/agents/{id}/events/batch',
    queue: 'write',
    recordsReports: true,
    tag: 'Events',
    summary: 'Report up to 100 events about an agent',
    description: `Platform only. ${BATCH}`,
    callers: ['platform'],
    params: IdParams,
    body: EventBatchBody,
    otherBodies: CLOUD_EVENTS,
    responses: BATCH_ACCEPTED,
  },
  listOwnEvents: {
    method: 'get',
    path: '/v1/events',
    tag: 'Events',
    summary: 'List the events about the calling agent, or reported by the calling platform',
    description:
      'Newest first, quarantined ones included. An agent gets the events about it, from every reporter; ' +
      `a platform gets the events that it reported in the last ${REPORTED_DAYS} days, about any agent, ` +
      'unless they are archived, and `from` and `to` are times of receipt.',
    callers: ['agent', 'platform'],
    query: OwnEventQueryParams.superRefine(checkSpan),
    responses: PAGE,
  },
  listEvents: {
    method: 'get',
    path: '/v1/agents/{id}/events',
    tag: 'Events',
    summary: 'List the events about an agent, newest first',
    description:
      'The agent itself, its owner and the operator get every event, quarantined ones included. A ' +
      'platform gets the events that it reported. Other callers get `FORBIDDEN`.',
    callers: ['agent', 'owner', 'platform', 'operator'],
    params: IdParams,
    query: EventQueryParams.superRefine(checkSpan),
    responses: PAGE,
  },
  streamEvents: {
    method: 'get',
    path: '/v1/agents/{id}/events/stream',
    tag: 'Events',
    summary: 'Follow the events about an agent as they arrive',
    description:
      'For the callers of `GET /v1/agents/{id}/events`, who get the same events. Server-sent events: ' +
      '`event` with an event as its data and its id; `changed` where the score may have changed without ' +
      'a new event, as after a review; `gap` where events may be missing, which the list has. Begins ' +
      'now, or behind the event in `Last-Event-ID`. Ends after ten minutes, when the credential changes or expires, ' +
      'and at a shutdown: connect again with the last id. `RATE_LIMIT_EXCEEDED` with `details.limit` ' +
      '`event_streams` when the account has 20 open.',
    callers: ['agent', 'owner', 'platform', 'operator'],
    // It mostly waits, and delays no other reads.
    queue: 'none',
    params: IdParams,
    responses: {
      200: { description: 'The stream', schema: z.string(), contentType: EVENT_STREAM_TYPE },
    },
  },
} as const satisfies RouteSpecs
