import { existingAgent, mayReadAll } from '../../auth/access.ts'
import { forbidden, invalidField } from '../../domain/error.ts'
import { DAY_MS } from '../../domain/time.ts'
import { credentialOf } from '../../http/authentication.ts'
import { EVENT_STREAM_TYPE } from '../../http/event-stream.ts'
import { okContent, type Response } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { z } from '../../http/schema.ts'
import { pageOf } from '../paging.ts'
import { type EventsOf, followedFrom } from './following.ts'
import { presentEvent } from './present.ts'
import { type ReportDeps, reportBatch, reportOne } from './report.ts'
import { type EventQueryParams, type OwnEventQueryParams, REPORTED_DAYS } from './schema.ts'
import { EVENT_SPECS } from './spec.ts'
import type { EventStreams } from './streams.ts'

export interface EventDeps extends ReportDeps {
  readonly streams: EventStreams
}

export function eventRoutes(deps: EventDeps): readonly Route[] {
  return bind(EVENT_SPECS, deps, {
    reportOwnEvent: (_, input) => reportOne(deps, input.caller.agentId, input, input.body),
    reportOwnEvents: (_, input) => reportBatch(deps, input.caller.agentId, input, input.body),
    reportEvent: (_, input) => reportOne(deps, input.params.id, input, input.body),
    reportEvents: (_, input) => reportBatch(deps, input.params.id, input, input.body),
    listOwnEvents,
    listEvents,
    streamEvents,
  })
}

type In<Name extends keyof typeof EVENT_SPECS> = InputOf<(typeof EVENT_SPECS)[Name]>

async function listOwnEvents(deps: EventDeps, { caller, query }: In<'listOwnEvents'>) {
  if (caller.kind === 'platform') {
    return pageOfReports(deps, caller.platformId, query)
  }
  for (const name of ['agentId', 'quarantined'] as const) {
    if (query[name] !== undefined) {
      throw invalidField(`query.${name}`, 'is for platforms', 'not_allowed')
    }
  }
  return pageOfEvents(deps, caller.agentId, query)
}

async function listEvents(deps: EventDeps, { caller, params, query }: In<'listEvents'>) {
  const { agentId, reporterId } = await readable(deps, caller, params.id)
  return pageOfEvents(deps, agentId, query, reporterId)
}

async function streamEvents(deps: EventDeps, { caller, params, request }: In<'streamEvents'>) {
  const own = await readable(deps, caller, params.id)
  const followed = await followedFrom(deps.store, own, request.headers.get('last-event-id'))
  const sent = credentialOf(request.headers)
  const credential = typeof sent === 'string' ? sent : ''
  const body = deps.streams.open({ caller, credential }, followed)
  // Without this header a proxy may buffer the events.
  return okContent(body, EVENT_STREAM_TYPE, { 'x-accel-buffering': 'no' })
}

/** What the caller may read: a platform its own reports about the agent, the others all. */
async function readable(
  { store }: EventDeps,
  caller: In<'listEvents'>['caller'],
  id: string,
): Promise<EventsOf> {
  const agent = await existingAgent(store, id)
  if (mayReadAll(caller, { agentId: agent.id, ownerId: agent.ownerId })) {
    return { agentId: agent.id, reporterId: undefined }
  }
  if (caller.kind === 'platform') {
    return { agentId: agent.id, reporterId: caller.platformId }
  }
  throw forbidden('only the agent itself, its owner and its reporters may read its events')
}

async function pageOfReports(
  { store, cursors, now }: EventDeps,
  platformId: string,
  query: z.output<typeof OwnEventQueryParams>,
): Promise<Response> {
  const { type, agentId, quarantined, from, to } = query
  const name = { list: 'reports', platformId, type, agentId, quarantined, from, to }
  const { position, limit, respond } = pageOf<[number, string, number]>(cursors, query, name)
  const [createdAt = 0, lastAgentId = '', seq = 0] = position ?? []
  const page = await store.events.listReported(platformId, {
    from: Math.max(from ?? 0, now() - REPORTED_DAYS * DAY_MS),
    to: to ?? now(),
    type,
    agentId,
    isQuarantined: quarantined === undefined ? undefined : quarantined === 'true',
    position: position && { createdAt, agentId: lastAgentId, seq },
    limit,
  })
  return respond(page, presentEvent, (event) => [event.createdAt, event.agentId, event.seq])
}

async function pageOfEvents(
  { store, cursors }: EventDeps,
  agentId: string,
  query: z.output<typeof EventQueryParams>,
  reporterId?: string,
): Promise<Response> {
  const { type, from, to } = query
  const name = { list: 'events', agentId, reporterId, type, from, to }
  const { position, limit, respond } = pageOf<[number]>(cursors, query, name)
  const of = { agentId, type, reporterId, from, to }
  const page = await store.events.list(of, position?.[0] ?? null, limit)
  return respond(page, presentEvent, ({ seq }) => [seq])
}
