import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import type { Caller } from '../../domain/caller.ts'
import { notFound } from '../../domain/error.ts'
import { MODEL } from '../../domain/model.ts'
import { scoreAt } from '../../domain/score.ts'
import { ok, type Response } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { checkInstant, scoreAsOf } from '../../scoring/score-as-of.ts'
import type { ScoreCache } from '../../scoring/score-cache.ts'
import { IdParams, pageAnswer, pageOf } from '../wire.ts'
import {
  BatchAnswer,
  BatchBody,
  HistoryQueryParams,
  presentPastScore,
  presentSnapshot,
  presentTiers,
  Score,
  ScoreQueryParams,
  SnapshotList,
  Tiers,
} from './schema.ts'

export interface ScoreRoutesOptions {
  readonly context: Context
  readonly scores: ScoreCache
  readonly lookups: Lookups
  readonly refolds: Semaphore
}

const ANYONE = ['anonymous', 'owner', 'agent', 'platform', 'operator'] as const

const PUBLIC_CACHE = 'public, max-age=30, stale-while-revalidate=60'
const JSON_TYPE = 'application/json; charset=utf-8'

export function scoreRoutes(options: ScoreRoutesOptions): readonly Route[] {
  const { context, scores, lookups, refolds } = options
  const { store, cursors, now } = context

  const scoreRoute = (path: string, operationId: string, summary: string) =>
    route({
      method: 'get',
      path,
      operationId,
      tag: 'Scores',
      summary,
      description: 'Costs one lookup.',
      callers: ANYONE,
      params: IdParams,
      query: ScoreQueryParams,
      isPublic: true,
      answers: { 200: { description: 'The score', schema: Score } },
      async handle({ caller, params, query }): Promise<Response> {
        if (query.at !== undefined) {
          return past(caller, params.id, query.at)
        }
        const answered = await scores.get(params.id)
        if (!answered) {
          throw notFound('agent')
        }
        await lookups.take(caller, 1)
        return ok(answered.body, {
          'content-type': JSON_TYPE,
          'cache-control': PUBLIC_CACHE,
          etag: answered.etag,
        })
      },
    })

  /** What was answered at an instant. A day later it is still the same, unless a review corrects it. */
  async function past(caller: Caller, id: string, at: number): Promise<Response> {
    const agentState = await store.scores.find(id)
    if (!agentState) {
      throw notFound('agent')
    }
    checkInstant(agentState, at, Math.max(now(), agentState.updatedAt))
    await lookups.take(caller, 1)
    const { correctedAt, ...then } = await refolds.run(() => scoreAsOf(store, agentState, at))
    const value = scoreAt(MODEL, then.evidence, at)
    const body = presentPastScore({ ...agentState, ...then }, value, { at, correctedAt })
    return ok(body, { 'cache-control': PUBLIC_CACHE, etag: pastTag(body) })
  }

  const history = route({
    method: 'get',
    path: '/v1/agents/{id}/score/history',
    operationId: 'getScoreHistory',
    tag: 'Scores',
    summary: 'How the score moved, newest first',
    description: 'One snapshot for each event or review that changed it. Costs one lookup.',
    callers: ANYONE,
    params: IdParams,
    query: HistoryQueryParams,
    isPublic: true,
    answers: { 200: { description: 'A page of snapshots', schema: SnapshotList } },
    async handle({ caller, params: { id }, query }) {
      const { from, to } = query
      const name = { list: 'history', id, from, to }
      const { position, limit } = pageOf<[number]>(cursors, query, name)
      if (!(await scores.get(id))) {
        throw notFound('agent')
      }
      await lookups.take(caller, 1)
      const before = position?.[0] ?? null
      const page = await store.scores.history(id, { from, to, before, limit })
      const answer = pageAnswer(cursors, page, name, presentSnapshot, ({ number }) => [number])
      const etag = tagOf(page.rows, page.more)
      return { ...answer, headers: { 'cache-control': PUBLIC_CACHE, etag } }
    },
  })

  const batch = route({
    method: 'post',
    path: '/v1/scores/batch',
    operationId: 'getScores',
    tag: 'Scores',
    summary: 'The scores of up to 100 agents at once',
    description: 'In the order asked, each once. Costs one lookup for each agent found.',
    callers: ANYONE,
    body: BatchBody,
    isPublic: true,
    answers: {
      200: { description: 'The scores, and the ids that name no agent', schema: BatchAnswer },
    },
    async handle({ caller, body }) {
      const ids = [...new Set(body.agentIds)]
      const found = await scores.getMany(ids)
      await lookups.take(caller, found.size)
      const data = ids.flatMap((id) => found.get(id)?.body ?? [])
      const missing = JSON.stringify(ids.filter((id) => !found.has(id)))
      return ok(`{"data":[${data.join(',')}],"notFound":${missing}}`, { 'content-type': JSON_TYPE })
    },
  })

  const classifications = route({
    method: 'get',
    path: '/v1/scores/classifications',
    operationId: 'getClassifications',
    tag: 'Scores',
    summary: 'What the tiers mean, best first',
    description: 'Costs no lookup.',
    callers: ANYONE,
    isPublic: true,
    answers: { 200: { description: 'The tiers', schema: Tiers } },
    async handle() {
      return ok(presentTiers(), { 'cache-control': PUBLIC_CACHE, etag: '"tiers-1"' })
    },
  })

  return [
    scoreRoute('/v1/agents/{id}/score', 'getScore', 'The score now, and what it is made of'),
    scoreRoute('/v1/scores/{id}', 'getScoreById', 'The same score, by its own path'),
    history,
    batch,
    classifications,
  ]
}

function tagOf(rows: readonly { id: string; correctedAt: number | null }[], more: boolean): string {
  const [newest] = rows
  const last = rows.at(-1)
  return `W/"${[newest?.id, last?.id, rows.length, newest?.correctedAt ?? 0, more].join('-')}"`
}

function pastTag(body: object): string {
  return `W/"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`
}
