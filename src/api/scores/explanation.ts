import { mayReadAll } from '../../auth/access.ts'
import type { Context } from '../../context.ts'
import type { Caller } from '../../domain/caller.ts'
import { classScoreAt } from '../../domain/class-score.ts'
import { forbidden, invalidField, TrustError } from '../../domain/error.ts'
import { MODEL } from '../../domain/model.ts'
import { scoringTime } from '../../domain/time.ts'
import { JSON_TYPE, okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { z } from '../../http/schema.ts'
import { weakEtagOf } from '../../lib/etag.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { existingState } from '../../scoring/agent-state.ts'
import type { BackgroundFolds } from '../../scoring/background-folds.ts'
import {
  createExplanations,
  type Explanations,
  HYPOTHETICAL_DEFAULT,
  scoresAfter,
} from '../../scoring/explanation.ts'
import type { Asker, Replays } from '../../scoring/replays.ts'
import type { AgentState } from '../../store/store.ts'
import { PUBLIC_CACHE } from '../caching.ts'
import { presentExplanation, presentSince } from './explanation-present.ts'
import type { ExplanationQuery } from './explanation-schema.ts'
import { EXPLANATION_SPECS } from './spec.ts'

export interface ExplanationDeps extends Context {
  readonly lookups: Lookups
  readonly replays: Replays
  readonly folds: BackgroundFolds
}

interface Deps extends ExplanationDeps {
  readonly explanations: Explanations
}

export function explanationRoutes(deps: ExplanationDeps): readonly Route[] {
  const explanations = createExplanations(deps.store, deps.replays, deps.folds)
  return bind(EXPLANATION_SPECS, { ...deps, explanations }, { explainScore })
}

type In<Name extends keyof typeof EXPLANATION_SPECS> = InputOf<(typeof EXPLANATION_SPECS)[Name]>

/** What only some callers may read must not be stored by a shared cache. */
const PRIVATE_CACHE = 'private, no-cache'

async function explainScore(deps: Deps, { caller, request, params, query }: In<'explainScore'>) {
  const { store, now, lookups, explanations } = deps
  const agentState = await existingState(store, params.id)
  const isAll = mayReadAll(caller, agentState)
  if (query.without !== undefined && !isAll) {
    throw mayNotAskAboutEvents(caller)
  }
  await lookups.take(caller, 1)
  const at = scoringTime(agentState, now())
  const asker = { caller, isGone: request.isGone }
  const explained = await explanations.explain(asker, agentState, at)
  const after = scoresAfter(explained, query.more ?? HYPOTHETICAL_DEFAULT)
  const asked = await answers(deps, { asker, agentState, at, isAll }, query)
  const body = JSON.stringify({ ...presentExplanation(explained, isAll), after, ...asked })
  return okContent(body, JSON_TYPE, {
    'cache-control': isAll ? PRIVATE_CACHE : PUBLIC_CACHE,
    vary: 'authorization, x-api-key',
    etag: weakEtagOf(body),
  })
}

const NO_SNAPSHOT =
  'is not a snapshot of this agent; a review replaces snapshots, and old ones may be thinned out'

interface View {
  readonly asker: Asker
  readonly agentState: AgentState
  readonly at: number
  readonly isAll: boolean
}

/** The answers to the questions in the query, each as far as the caller may see it. */
async function answers(
  { store, explanations }: Deps,
  { asker, agentState, at, isAll }: View,
  query: z.output<typeof ExplanationQuery>,
) {
  const { agentId } = agentState
  const found: Record<string, unknown> = {}
  if (query.since !== undefined) {
    const snapshot = await store.snapshots.find({ agentId, id: query.since })
    if (!snapshot) {
      throw invalidField('query.since', NO_SNAPSHOT)
    }
    found.since = presentSince(await explanations.since(asker, agentState, at, snapshot), isAll)
  }
  if (query.without !== undefined) {
    const event = await store.events.find({ agentId, id: query.without })
    if (!event) {
      throw invalidField('query.without', 'is not an event of this agent')
    }
    found.without = await explanations.without(asker, agentState, at, event)
  }
  if (query.taskClass !== undefined) {
    found.taskClass = classScoreAt(MODEL, agentState.evidence, query.taskClass, at)
  }
  return found
}

function mayNotAskAboutEvents(caller: Caller): TrustError {
  const message = 'only the agent itself, its owner and the operator may ask about one event'
  return caller.kind === 'anonymous'
    ? new TrustError('AUTHENTICATION_REQUIRED', message)
    : forbidden(message)
}
