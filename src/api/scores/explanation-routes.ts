import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Caller } from '../../domain/caller.ts'
import { forbidden, invalidField, notFound, TrustError } from '../../domain/error.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import type { z } from '../../http/schema.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import {
  createExplanations,
  type Explanation,
  presentAfter,
  SUPPOSED_ALWAYS,
} from '../../scoring/explanation.ts'
import type { AgentState } from '../../store/store.ts'
import { mayReadAll } from '../proofs/access.ts'
import { IdParams } from '../wire.ts'
import { ExplanationQuery, ScoreExplanation } from './explanation-schema.ts'

export interface ExplanationRoutesOptions {
  readonly context: Context
  readonly lookups: Lookups
  readonly refolds: Semaphore
}

type Query = z.output<typeof ExplanationQuery>

const ANYONE = ['anonymous', 'owner', 'agent', 'platform', 'operator'] as const

/** What only some may read is kept by nobody between us and them. */
const CACHE = { anyone: 'public, max-age=30, stale-while-revalidate=60', some: 'private, no-cache' }

export function explanationRoutes(options: ExplanationRoutesOptions): readonly Route[] {
  const { context, lookups, refolds } = options
  const { store, now } = context
  const explanations = createExplanations(store, refolds)

  /** The answers to what was asked besides, each shown as far as the caller may see. */
  async function besides(agentState: AgentState, at: number, query: Query, isAll: boolean) {
    const { agentId } = agentState
    const parts: Record<string, unknown> = {}
    if (query.since !== undefined) {
      const snapshot = await store.scores.snapshot(agentId, query.since)
      if (!snapshot) {
        throw invalidField('query.since', 'is no snapshot of this agent; a review replaces them')
      }
      parts.since = shownTo(isAll, await explanations.since(agentState, at, snapshot))
    }
    if (query.without !== undefined) {
      const event = await store.events.find(query.without)
      if (event?.agentId !== agentId) {
        throw invalidField('query.without', 'is no event of this agent')
      }
      parts.without = await explanations.without(agentState, at, event)
    }
    return parts
  }

  const explanation = route({
    method: 'get',
    path: '/v1/agents/{id}/score/explanation',
    operationId: 'explainScore',
    tag: 'Scores',
    summary: 'Why the score is what it is, and what would move it',
    description:
      'Who reported what, and which events moved it most, is told to the agent itself, its owner ' +
      'and the operator. Costs one lookup.',
    callers: ANYONE,
    params: IdParams,
    query: ExplanationQuery,
    isPublic: true,
    answers: { 200: { description: 'The explanation', schema: ScoreExplanation } },
    errors: ['FORBIDDEN'],
    async handle({ caller, params: { id }, query }) {
      const agentState = await store.scores.find(id)
      if (!agentState) {
        throw notFound('agent')
      }
      const isAll = mayReadAll(caller, agentState)
      if (query.without !== undefined && !isAll) {
        throw notTheirs(caller)
      }
      await lookups.take(caller, 1)
      const at = Math.max(now(), agentState.updatedAt)
      const explained = await explanations.explain(agentState, at)
      const after = presentAfter(explained, query.more ?? SUPPOSED_ALWAYS)
      const parts = await besides(agentState, at, query, isAll)
      const body = JSON.stringify({ ...shownTo(isAll, explained), after, ...parts })
      return ok(body, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': isAll ? CACHE.some : CACHE.anyone,
        vary: 'authorization, x-api-key',
        etag: tagOf(body),
      })
    },
  })
  return [explanation]
}

function notTheirs(caller: Caller): TrustError {
  const message = 'only the agent itself, its owner and the operator ask about one event'
  return caller.kind === 'anonymous'
    ? new TrustError('AUTHENTICATION_REQUIRED', message)
    : forbidden(message)
}

/** Without the reporters and events, unless they are the caller's to see. */
function shownTo(
  isAll: boolean,
  {
    shown,
    reporters,
    events,
  }: Pick<Explanation, 'reporters' | 'events'> & { readonly shown: { contributions: object } },
) {
  if (!isAll) {
    return shown
  }
  return { ...shown, contributions: { ...shown.contributions, reporters }, events }
}

function tagOf(body: string): string {
  return `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
}
