import type { Context } from '../../context.ts'
import { JSON_TYPE, okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { NO_STORE } from '../caching.ts'
import { idOf, pageByKey } from '../paging.ts'
import { answer, type Deciding } from './answer.ts'
import { presentAsked, presentDecision } from './present.ts'
import { DECISION_SPECS } from './spec.ts'

export interface DecisionDeps extends Context, Deciding {}

export function decisionRoutes(deps: DecisionDeps): readonly Route[] {
  return bind(DECISION_SPECS, deps, { decide, listDecisions })
}

type In<Name extends keyof typeof DECISION_SPECS> = InputOf<(typeof DECISION_SPECS)[Name]>

function decide(deps: DecisionDeps, { caller, body, respondOnce }: In<'decide'>) {
  return respondOnce(async () => {
    const decided = await answer(deps, caller, { ...body, via: 'api' })
    return okContent(presentDecision(decided), JSON_TYPE, NO_STORE)
  })
}

async function listDecisions(
  { store, cursors, names, decisionLog }: DecisionDeps,
  { caller: { platformId }, query }: In<'listDecisions'>,
) {
  const { after, limit, respond } = pageByKey(cursors, query, {
    list: 'decisions',
    platformId,
  })
  // A decision that this node has answered is in the list.
  await decisionLog.flush()
  const page = await store.decisions.list(platformId, after, limit)
  const rows = await Promise.all(
    page.rows.map(async (row) => {
      const agent = row.agentId === null ? null : ((await names.agent(row.agentId)) ?? null)
      return { ...row, agent }
    }),
  )
  return respond({ ...page, rows }, presentAsked, idOf)
}
