import type { Context } from '../../context.ts'
import { invalid } from '../../domain/error.ts'
import { issuesOf } from '../../http/issues.ts'
import { JSON_TYPE, okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { parseBy } from '../../http/validation-messages.ts'
import { NO_STORE, PUBLIC_CACHE, tagged } from '../caching.ts'
import type { Deciding } from '../decisions/answer.ts'
import { evaluate, evaluateMany } from './evaluate.ts'
import { Evaluation } from './schema.ts'
import { AUTHZEN_SPECS, EVALUATION_PATH, EVALUATIONS_PATH } from './spec.ts'

export interface AuthZenDeps extends Context, Deciding {
  readonly baseUrl: () => string
}

export function authZenRoutes(deps: AuthZenDeps): readonly Route[] {
  return bind(AUTHZEN_SPECS, deps, { getAuthZenConfiguration, evaluateAccess, evaluateAccesses })
}

type In<Name extends keyof typeof AUTHZEN_SPECS> = InputOf<(typeof AUTHZEN_SPECS)[Name]>

async function getAuthZenConfiguration({ baseUrl }: AuthZenDeps) {
  const base = baseUrl()
  const metadata = {
    policy_decision_point: base,
    access_evaluation_endpoint: base + EVALUATION_PATH,
    access_evaluations_endpoint: base + EVALUATIONS_PATH,
  }
  return tagged(JSON.stringify(metadata), JSON_TYPE, { 'cache-control': PUBLIC_CACHE })
}

function evaluateAccess(deps: AuthZenDeps, { caller, body, respondOnce }: In<'evaluateAccess'>) {
  return respondOnce(async () => {
    const evaluated = await evaluate(deps, caller, body)
    return okContent(evaluated.body, JSON_TYPE, NO_STORE)
  })
}

function evaluateAccesses(deps: AuthZenDeps, input: In<'evaluateAccesses'>) {
  const { caller, body, respondOnce } = input
  return respondOnce(async () => {
    const { evaluations = [], options, ...defaults } = body
    if (evaluations.length === 0) {
      const parsed = parseBy(Evaluation, defaults)
      if (!parsed.success) {
        throw invalid(issuesOf('body', parsed.error))
      }
      const evaluated = await evaluate(deps, caller, parsed.data)
      return okContent(evaluated.body, JSON_TYPE, NO_STORE)
    }
    const semantic = options?.evaluations_semantic ?? 'execute_all'
    const many = await evaluateMany(deps, caller, { defaults, evaluations, semantic })
    const list = many.map((one) => one.body).join(',')
    return okContent(`{"evaluations":[${list}]}`, JSON_TYPE, NO_STORE)
  })
}
