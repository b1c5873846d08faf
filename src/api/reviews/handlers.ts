import { audit, auditEntry } from '../../audit/audit.ts'
import { mayReadAll } from '../../auth/access.ts'
import type { Context } from '../../context.ts'
import type { RecordedEvent } from '../../domain/agent.ts'
import { accountNameOf, modeOfCaller } from '../../domain/caller.ts'
import { forbidden } from '../../domain/error.ts'
import { accepted, ok, type Response } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import * as reviews from '../../reviews/reviews.ts'
import { existingState } from '../../scoring/agent-state.ts'
import type { Replays } from '../../scoring/replays.ts'
import type { QuarantinedScores } from '../../scoring/score-with-quarantined.ts'
import type { FlaggedEvents, Page, Store } from '../../store/store.ts'
import { presentEvent } from '../events/present.ts'
import { pageOf } from '../paging.ts'
import { presentScoreNow } from '../scores/present.ts'
import { itemPresenter } from './present.ts'
import { REVIEW_SPECS } from './spec.ts'

export interface ReviewDeps extends Context {
  readonly replays: Replays
  readonly quarantinedScores: QuarantinedScores
}

export function reviewRoutes(deps: ReviewDeps): readonly Route[] {
  return bind(REVIEW_SPECS, deps, {
    listReviews: (_, input) => pageOfReviews(deps, 'awaitingReview', input),
    listFindings: (_, input) => pageOfReviews(deps, 'withFindings', input),
    reviewEvent,
    reviewEvents,
    appealEvent,
    getQuarantinedScore,
  })
}

type In<Name extends keyof typeof REVIEW_SPECS> = InputOf<(typeof REVIEW_SPECS)[Name]>

async function pageOfReviews(
  { store, cursors }: ReviewDeps,
  list: FlaggedEvents['list'],
  { caller, query }: In<'listReviews'>,
): Promise<Response> {
  const mode = modeOfCaller(caller)
  const { cursor: _, limit: __, ...filter } = query
  const of = { list, mode, ...filter }
  const { position, limit, respond } = pageOf<[number, string]>(cursors, query, of)
  const last = position && { createdAt: position[0], id: position[1] }
  const page = await store.reviews.list(of, last, limit)
  const present = await itemPresenter(store, page.rows)
  return respond(page, present, ({ createdAt, id }) => [createdAt, id])
}

async function reviewEvent(
  deps: ReviewDeps,
  { caller, params, body, transact }: In<'reviewEvent'>,
) {
  const { id } = params
  const agentIds = new Set<string>()
  const response = await transact(async (within) => {
    const event = await reviews.reviewEvent(within, deps, id, body)
    agentIds.add(event.agentId)
    await audit(within, deps, caller, {
      action: 'event.reviewed',
      target: { kind: 'event', id },
      details: body,
    })
    const isLater = event.review?.status === 'released' && event.isQuarantined
    return isLater ? accepted(presentEvent(event)) : ok(presentEvent(event))
  })
  keepUp(deps, agentIds)
  return response
}

async function reviewEvents(deps: ReviewDeps, { caller, body, transactAfter }: In<'reviewEvents'>) {
  const { decision, reason, ...given } = body
  const filter = { ...given, mode: modeOfCaller(caller) }
  const decided = { decision, reason }
  const agentIds = new Set<string>()
  const prepare = () => reviews.eventsToReview(deps.store, filter, decided)
  const work = async (within: Store, { rows, more }: Page<RecordedEvent>) => {
    const reviewed = await reviews.reviewEvents(within, deps, rows, decided)
    const entries = reviewed.map(({ id }) =>
      auditEntry(deps, caller, {
        action: 'event.reviewed',
        target: { kind: 'event', id },
        details: body,
      }),
    )
    await within.audit.insertAll(entries)
    for (const { agentId } of reviewed) {
      agentIds.add(agentId)
    }
    return ok({ reviewed: reviewed.length, more, data: reviewed.map(presentEvent) })
  }
  const response = await transactAfter({ prepare, work })
  keepUp(deps, agentIds)
  return response
}

/** After the transaction: what has been rolled back changes no score. */
function keepUp({ quarantinedScores }: ReviewDeps, agentIds: Iterable<string>): void {
  for (const agentId of agentIds) {
    quarantinedScores.keepUp(agentId)
  }
}

function appealEvent(deps: ReviewDeps, { caller, params, body, transact }: In<'appealEvent'>) {
  const { id } = params
  return transact(async (within) => {
    const appeal = { ownerId: caller.ownerId, eventId: id, statement: body.statement }
    const event = await reviews.appealEvent(within, deps, appeal)
    await audit(within, deps, caller, { action: 'event.appealed', target: { kind: 'event', id } })
    return ok(presentEvent(event))
  })
}

async function getQuarantinedScore(
  deps: ReviewDeps,
  { caller, request, params }: In<'getQuarantinedScore'>,
) {
  const { store, now, replays, quarantinedScores } = deps
  const agentState = await existingState(store, params.id)
  if (!mayReadAll(caller, agentState)) {
    throw forbidden('only the agent itself, its owner and the operator may read this score')
  }
  const asker = { caller, isGone: request.isGone }
  const all = await replays.run(asker, (signal) =>
    quarantinedScores.stateWith(agentState, { account: accountNameOf(caller), signal }),
  )
  const at = now()
  return ok({
    quarantinedEvents: all.quarantined,
    current: presentScoreNow(agentState, at),
    withQuarantined: presentScoreNow(all.agentState, at),
  })
}
