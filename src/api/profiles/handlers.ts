import { drawBadge } from '@standing/design/badge.ts'
import type { Context } from '../../context.ts'
import { type Caller, modeOfCaller } from '../../domain/caller.ts'
import { notFound } from '../../domain/error.ts'
import { JSON_TYPE, type ResponseHeaders } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { PUBLIC_CACHE, tagged, VARY_BY_MODE } from '../caching.ts'
import type { LookupCache } from '../lookup/lookup-cache.ts'
import type { presentScore } from '../scores/present.ts'
import type { ScoreCache } from '../scores/score-cache.ts'
import type { Profiles } from './profile.ts'
import { PROFILE_SPECS, SVG_TYPE } from './spec.ts'

export interface ProfileDeps extends Pick<Context, 'store' | 'now'> {
  readonly profiles: Profiles
  readonly scores: ScoreCache
  readonly names: LookupCache
  readonly lookups: Lookups
}

export function profileRoutes(deps: ProfileDeps): readonly Route[] {
  return bind(PROFILE_SPECS, deps, { getPublicProfile, getBadge, getBadgeByIdentifier })
}

type In<Name extends keyof typeof PROFILE_SPECS> = InputOf<(typeof PROFILE_SPECS)[Name]>

async function getPublicProfile(deps: ProfileDeps, { caller, params }: In<'getPublicProfile'>) {
  const profile = await deps.profiles.find(params.id)
  await deps.lookups.take(caller, 1)
  return tagged(JSON.stringify(profile), JSON_TYPE, { 'cache-control': PUBLIC_CACHE })
}

/** Pages that show a badge are read often, and the proxies that fetch pictures for them ask less. */
const BADGE_CACHE = 'public, max-age=300, stale-while-revalidate=3600'

function getBadge(deps: ProfileDeps, { caller, params, query }: In<'getBadge'>) {
  return showBadge(deps, caller, params.id, { query })
}

async function getBadgeByIdentifier(deps: ProfileDeps, input: In<'getBadgeByIdentifier'>) {
  const { identifier, ...query } = input.query
  const { agentId } = await deps.names.holder(identifier, modeOfCaller(input.caller))
  return showBadge(deps, input.caller, agentId, { query, headers: VARY_BY_MODE })
}

interface ShownBadge {
  readonly query: In<'getBadge'>['query']
  readonly headers?: ResponseHeaders
}

async function showBadge(
  deps: ProfileDeps,
  caller: Caller,
  agentId: string | null,
  { query, headers }: ShownBadge,
) {
  const cached = agentId === null ? undefined : await deps.scores.get(agentId)
  if (!cached) {
    throw notFound('agent')
  }
  await deps.lookups.take(caller, 1)
  const score: ReturnType<typeof presentScore> = JSON.parse(cached.body)
  return tagged(drawBadge(score, query), SVG_TYPE, { 'cache-control': BADGE_CACHE, ...headers })
}
