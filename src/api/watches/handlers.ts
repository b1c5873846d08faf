import { existingAgent } from '../../auth/access.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import type { Context } from '../../context.ts'
import { checkLimit, notFound } from '../../domain/error.ts'
import { created, noContent, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { Store, WatchRow } from '../../store/store.ts'
import type { WebhookHolder } from '../../webhooks/webhooks.ts'
import { pageOf } from '../paging.ts'
import { holderOf } from '../webhooks/holder.ts'
import { presentWatch } from './present.ts'
import { WATCH_SPECS } from './spec.ts'

/** As many as a busy marketplace deals with in a week. */
const WATCHES_MAX = 1_000

/** Every notification of the agent is written once for each, in the transaction of its cause. */
const WATCHERS_MAX = 100

/** Anyone can open accounts of owners. The other half is left to platforms, which the operator admits. */
const WATCHING_OWNERS_MAX = 50

export function watchRoutes(deps: Context): readonly Route[] {
  return bind(WATCH_SPECS, deps, { watchAgent, listWatches, unwatchAgent })
}

type In<Name extends keyof typeof WATCH_SPECS> = InputOf<(typeof WATCH_SPECS)[Name]>

function watchAgent({ now }: Context, { caller, params, transact }: In<'watchAgent'>) {
  const holder = holderOf(caller)
  const { id: holderId } = holder
  return transact(async (within) => {
    await lockAccount(within, holder)
    const agent = await existingAgent(within, params.id)
    const before = await within.watches.find({ holderId, agentId: agent.id })
    if (before) {
      return ok(presentWatch(before))
    }
    // The state is what any write about an agent locks: only one request takes its last place.
    await within.agentStates.find({ agentId: agent.id }, { lock: 'wait' })
    await checkWatchLimits(within, holder, agent.id)
    const watch: WatchRow = { agentId: agent.id, holderId, createdAt: now() }
    await within.watches.insert(watch)
    return created(presentWatch(watch))
  })
}

async function checkWatchLimits(
  within: Store,
  { kind, id }: WebhookHolder,
  agentId: string,
): Promise<void> {
  const { own, its, owners } = await within.watches.count({ holderId: id, agentId })
  const full = `an account may watch ${WATCHES_MAX} agents; stop watching one first`
  checkLimit('max_watches', own, WATCHES_MAX, full)
  const watched = `an agent may be watched by ${WATCHERS_MAX} accounts`
  checkLimit('max_watchers', its, WATCHERS_MAX, watched)
  if (kind === 'owner') {
    const byOwners = `an agent may be watched by ${WATCHING_OWNERS_MAX} accounts of owners`
    checkLimit('max_watchers', owners, WATCHING_OWNERS_MAX, byOwners)
  }
}

async function listWatches({ store, cursors }: Context, { caller, query }: In<'listWatches'>) {
  const { id: holderId } = holderOf(caller)
  // A cursor of the former order, by agent id, is no place in this one.
  const list = { list: 'watches', order: 'newest', holderId }
  const { position, limit, respond } = pageOf<[number, string]>(cursors, query, list)
  const after = position && { createdAt: position[0], agentId: position[1] }
  const page = await store.watches.list(holderId, after, limit)
  return respond(page, presentWatch, ({ createdAt, agentId }) => [createdAt, agentId])
}

function unwatchAgent(_: Context, { caller, params, transact }: In<'unwatchAgent'>) {
  return transact(async (within) => {
    const watch = { holderId: holderOf(caller).id, agentId: params.id }
    if (!(await within.watches.delete(watch))) {
      throw notFound('watch')
    }
    return noContent()
  })
}
