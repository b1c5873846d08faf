import type { Context } from '../../context.ts'
import type { Caller } from '../../domain/caller.ts'
import { classScoreAt } from '../../domain/class-score.ts'
import { invalidField, notFound } from '../../domain/error.ts'
import { MODEL } from '../../domain/model.ts'
import { scoreAt } from '../../domain/score.ts'
import { TIERS } from '../../domain/tiers.ts'
import { dayOf, scoringTime } from '../../domain/time.ts'
import { JSON_TYPE, ok, okContent, type Response } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { type Awaitable, andThen } from '../../lib/awaitable.ts'
import { weakEtagOf } from '../../lib/etag.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { existingState } from '../../scoring/agent-state.ts'
import type { Asker, Replays } from '../../scoring/replays.ts'
import { checkInstant, scoreAsOf } from '../../scoring/score-as-of.ts'
import { scoreSeries } from '../../scoring/score-series.ts'
import type { Snapshot } from '../../store/store.ts'
import { PUBLIC_CACHE } from '../caching.ts'
import { idsInMode } from '../modes.ts'
import { pageOf } from '../paging.ts'
import { presentPastScore, presentPoint, presentScore, presentSnapshot } from './present.ts'
import { POINTS_DEFAULT } from './schema.ts'
import { classTagOf, type ScoreCache } from './score-cache.ts'
import { SCORE_SPECS } from './spec.ts'

export interface ScoreDeps extends Context {
  readonly scores: ScoreCache
  readonly lookups: Lookups
  readonly replays: Replays
}

export function scoreRoutes(deps: ScoreDeps): readonly Route[] {
  return bind(SCORE_SPECS, deps, {
    getScore,
    getScoreById: getScore,
    getScoreHistory,
    getScoreSeries,
    getScores,
    getClassifications,
  })
}

type In<Name extends keyof typeof SCORE_SPECS> = InputOf<(typeof SCORE_SPECS)[Name]>

function getScore(
  deps: ScoreDeps,
  { caller, request, params, query }: In<'getScore'>,
): Awaitable<Response> {
  const { at, taskClass } = query
  if (at !== undefined) {
    return pastScore(deps, { caller, isGone: request.isGone }, params.id, { at, taskClass })
  }
  if (taskClass !== undefined) {
    return scoreWithClass(deps, caller, params.id, taskClass)
  }
  return andThen(deps.scores.get(params.id), (cached) => {
    if (!cached) {
      throw notFound('agent')
    }
    const headers = { 'cache-control': PUBLIC_CACHE, etag: cached.etag }
    return andThen(deps.lookups.take(caller, 1), () => okContent(cached.body, JSON_TYPE, headers))
  })
}

/** Read by the agent's key each time: an agent has as many of these as there are names. */
async function scoreWithClass(
  { store, now, lookups }: ScoreDeps,
  caller: Caller,
  id: string,
  taskClass: string,
): Promise<Response> {
  const agentState = await existingState(store, id)
  const at = scoringTime(agentState, now())
  await lookups.take(caller, 1)
  const { evidence } = agentState
  const body = {
    ...presentScore(agentState, scoreAt(MODEL, evidence, at), at),
    taskClass: classScoreAt(MODEL, evidence, taskClass, at),
  }
  const etag = classTagOf(agentState, dayOf(at), taskClass)
  return ok(body, { 'cache-control': PUBLIC_CACHE, etag })
}

/** The score as of a past time. It stays the same, unless a review corrects it. */
async function pastScore(
  { store, now, lookups, replays }: ScoreDeps,
  asker: Asker,
  id: string,
  { at, taskClass }: { readonly at: number; readonly taskClass: string | undefined },
): Promise<Response> {
  const agentState = await existingState(store, id)
  checkInstant(agentState, at, scoringTime(agentState, now()))
  await lookups.take(asker.caller, 1)
  const { correctedAt, ...then } = await replays.run(asker, (signal) =>
    scoreAsOf(store, agentState, at, { signal }),
  )
  const value = scoreAt(MODEL, then.evidence, at)
  const past = presentPastScore({ ...agentState, ...then }, value, { at, correctedAt })
  const inClass = taskClass === undefined ? null : classScoreAt(MODEL, then.evidence, taskClass, at)
  const body = inClass ? { ...past, taskClass: inClass } : past
  return ok(body, { 'cache-control': PUBLIC_CACHE, etag: weakEtagOf(JSON.stringify(body)) })
}

async function getScoreHistory(deps: ScoreDeps, input: In<'getScoreHistory'>) {
  const { store, cursors, scores, lookups } = deps
  const { id } = input.params
  const { from, to } = input.query
  const name = { list: 'history', id, from, to }
  const { position, limit, respond } = pageOf<[number]>(cursors, input.query, name)
  if (!(await scores.get(id))) {
    throw notFound('agent')
  }
  await lookups.take(input.caller, 1)
  const page = await store.snapshots.list({ agentId: id, from, to }, position?.[0] ?? null, limit)
  const response = respond(page, presentSnapshot, ({ number }) => [number])
  const etag = historyTag(page.rows, page.more)
  return { ...response, headers: { 'cache-control': PUBLIC_CACHE, etag } }
}

/** Where the span begins before the agent, its first score is that of the registration. */
async function getScoreSeries(deps: ScoreDeps, input: In<'getScoreSeries'>) {
  const { store, now, lookups, replays } = deps
  const { caller, request, params, query } = input
  const agentState = await existingState(store, params.id)
  const present = scoringTime(agentState, now())
  const { to = present, points = POINTS_DEFAULT } = query
  const from = Math.max(query.from ?? 0, agentState.evidence.registeredAt)
  if (query.from !== undefined && query.from > to) {
    throw invalidField('query.from', 'must not be later than `to`', 'out_of_window')
  }
  checkInstant(agentState, to, present, 'to')
  await lookups.take(caller, 1)
  const series = await replays.run({ caller, isGone: request.isGone }, (signal) =>
    scoreSeries(store, agentState, spread(from, to, points), { signal }),
  )
  const body = { data: series.map(presentPoint) }
  return ok(body, { 'cache-control': PUBLIC_CACHE, etag: weakEtagOf(JSON.stringify(body)) })
}

/** Evenly spaced times, both ends included. */
function spread(from: number, to: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => Math.round(from + (i * (to - from)) / (count - 1)))
}

async function getScores(deps: ScoreDeps, { caller, body, respondOnce }: In<'getScores'>) {
  return respondOnce(() => batchOfScores(deps, caller, body))
}

async function batchOfScores(
  { scores, lookups }: ScoreDeps,
  caller: Caller,
  body: In<'getScores'>['body'],
) {
  const ids = [...new Set(body.agentIds)]
  const found = await scores.getMany(idsInMode(caller, ids))
  await lookups.take(caller, found.size)
  const data = ids.flatMap((id) => found.get(id)?.body ?? [])
  const missing = JSON.stringify(ids.filter((id) => !found.has(id)))
  // The scores are JSON text already.
  return okContent(`{"data":[${data.join(',')}],"notFound":${missing}}`, JSON_TYPE)
}

async function getClassifications() {
  return ok({ data: TIERS }, { 'cache-control': PUBLIC_CACHE, etag: '"tiers-1"' })
}

/** A page changes only by new snapshots at its beginning, or by a review that corrects them. */
function historyTag(rows: readonly Snapshot[], more: boolean): string {
  const [newest] = rows
  const last = rows.at(-1)
  return `W/"${[newest?.id, last?.id, rows.length, newest?.correctedAt ?? 0, more].join('-')}"`
}
