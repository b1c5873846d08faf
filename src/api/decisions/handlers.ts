import type { Context } from '../../context.ts'
import { JSON_TYPE, okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { NO_STORE } from '../caching.ts'
import { answer, type Deciding } from './answer.ts'
import { presentDecision } from './present.ts'
import { DECISION_SPECS } from './spec.ts'

export interface DecisionDeps extends Context, Deciding {}

export function decisionRoutes(deps: DecisionDeps): readonly Route[] {
  return bind(DECISION_SPECS, deps, { decide })
}

type In<Name extends keyof typeof DECISION_SPECS> = InputOf<(typeof DECISION_SPECS)[Name]>

function decide(deps: DecisionDeps, { caller, body, respondOnce }: In<'decide'>) {
  return respondOnce(async () => {
    const decided = await answer(deps, caller, body)
    return okContent(presentDecision(decided), JSON_TYPE, NO_STORE)
  })
}
