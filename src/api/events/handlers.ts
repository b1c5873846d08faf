import { existingAgent, mayReadAll } from '../../auth/access.ts'
import { forbidden } from '../../domain/error.ts'
import type { Response } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { z } from '../../http/schema.ts'
import { pageOf } from '../paging.ts'
import { presentEvent } from './present.ts'
import { type ReportDeps, reportBatch, reportOne } from './report.ts'
import type { EventQueryParams } from './schema.ts'
import { EVENT_SPECS } from './spec.ts'

export type EventDeps = ReportDeps

export function eventRoutes(deps: EventDeps): readonly Route[] {
  return bind(EVENT_SPECS, deps, {
    reportOwnEvent: (_, input) => reportOne(deps, input.caller.agentId, input, input.body),
    reportOwnEvents: (_, input) => reportBatch(deps, input.caller.agentId, input, input.body),
    reportEvent: (_, input) => reportOne(deps, input.params.id, input, input.body),
    reportEvents: (_, input) => reportBatch(deps, input.params.id, input, input.body),
    listOwnEvents: (_, { caller, query }) => pageOfEvents(deps, caller.agentId, query),
    listEvents,
  })
}

type In<Name extends keyof typeof EVENT_SPECS> = InputOf<(typeof EVENT_SPECS)[Name]>

async function listEvents(deps: EventDeps, { caller, params, query }: In<'listEvents'>) {
  const agent = await existingAgent(deps.store, params.id)
  if (mayReadAll(caller, { agentId: agent.id, ownerId: agent.ownerId })) {
    return pageOfEvents(deps, agent.id, query)
  }
  if (caller.kind === 'platform') {
    return pageOfEvents(deps, agent.id, query, caller.platformId)
  }
  throw forbidden('only the agent itself, its owner and its reporters may read its events')
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
  const before = position?.[0] ?? null
  const page = await store.events.list(agentId, { type, reporterId, from, to, before, limit })
  return respond(page, presentEvent, ({ seq }) => [seq])
}
