import type { Context } from '../../context.ts'
import { modeOfCaller } from '../../domain/caller.ts'
import { JSON_TYPE, okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { andThen } from '../../lib/awaitable.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import type { LookupCache } from './lookup-cache.ts'
import { LOOKUP_SPECS } from './spec.ts'

export interface LookupDeps extends Context {
  readonly names: LookupCache
  readonly lookups: Lookups
}

export function lookupRoutes(deps: LookupDeps): readonly Route[] {
  return bind(LOOKUP_SPECS, deps, { lookUp, lookUpMany })
}

type In<Name extends keyof typeof LOOKUP_SPECS> = InputOf<(typeof LOOKUP_SPECS)[Name]>

function lookUp({ names, lookups }: LookupDeps, { caller, query }: In<'lookUp'>) {
  return andThen(lookups.take(caller, 1), () =>
    andThen(names.get(query.identifier, modeOfCaller(caller)), ({ response }) => response),
  )
}

function lookUpMany({ names, lookups }: LookupDeps, input: In<'lookUpMany'>) {
  const { caller, body, respondOnce } = input
  return respondOnce(async () => {
    const identifiers = [...new Set(body.identifiers)]
    await lookups.take(caller, identifiers.length)
    const found = await names.getMany(identifiers, modeOfCaller(caller))
    return okContent(`{"data":[${found.map((one) => one.body).join(',')}]}`, JSON_TYPE)
  })
}
