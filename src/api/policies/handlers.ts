import { audit } from '../../audit/audit.ts'
import { lockAccount } from '../../auth/lock-account.ts'
import type { Context } from '../../context.ts'
import { testPolicy } from '../../decisions/backtest.ts'
import { accountOf, type CallerOf } from '../../domain/caller.ts'
import { checkLimit, notFound } from '../../domain/error.ts'
import { POLICIES_MAX } from '../../domain/policy.ts'
import { created, noContent, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { Replays } from '../../scoring/replays.ts'
import type { PolicyRow, Store } from '../../store/store.ts'
import { pageByKey } from '../paging.ts'
import { holderOf } from '../webhooks/holder.ts'
import { time } from '../wire.ts'
import { presentApplied, presentPolicy } from './present.ts'
import { POLICY_SPECS } from './spec.ts'

export interface PolicyDeps extends Context {
  /** Bounds the histories that are read at the same time. */
  readonly replays: Replays
}

export function policyRoutes(deps: PolicyDeps): readonly Route[] {
  return bind(POLICY_SPECS, deps, {
    putPolicy,
    getPolicy,
    listPolicies,
    deletePolicy,
    backtestPolicy,
  })
}

type In<Name extends keyof typeof POLICY_SPECS> = InputOf<(typeof POLICY_SPECS)[Name]>

function putPolicy(deps: PolicyDeps, { caller, params, body, transact }: In<'putPolicy'>) {
  return transact(async (within) => {
    await lockAccount(within, holderOf(caller))
    const holder = holderNameOf(caller)
    const before = await within.policies.find({ holder, name: params.name })
    if (!before) {
      await checkPolicyLimit(within, holder)
    }
    const at = deps.now()
    const createdAt = before?.createdAt ?? at
    const row: PolicyRow = {
      holder,
      name: params.name,
      policy: body,
      createdAt,
      updatedAt: at,
    }
    const isNew = await within.policies.save(row)
    await audit(within, deps, caller, {
      action: 'policy.saved',
      target: target(params.name),
      details: { ...body },
    })
    return isNew ? created(presentPolicy(row)) : ok(presentPolicy(row))
  })
}

async function getPolicy({ store }: PolicyDeps, { caller, params }: In<'getPolicy'>) {
  return ok(presentPolicy(await existingPolicy(store, holderNameOf(caller), params.name)))
}

async function listPolicies({ store, cursors }: PolicyDeps, input: In<'listPolicies'>) {
  const holder = holderNameOf(input.caller)
  const name = { list: 'policies', holder }
  const { after, limit, respond } = pageByKey(cursors, input.query, name)
  const page = await store.policies.list(holder, after, limit)
  return respond(page, presentPolicy, (row) => row.name)
}

function deletePolicy(deps: PolicyDeps, { caller, params, transact }: In<'deletePolicy'>) {
  return transact(async (within) => {
    if (!(await within.policies.delete({ holder: holderNameOf(caller), name: params.name }))) {
      throw notFound('policy')
    }
    await audit(within, deps, caller, { action: 'policy.deleted', target: target(params.name) })
    return noContent()
  })
}

function backtestPolicy({ store, replays }: PolicyDeps, input: In<'backtestPolicy'>) {
  const { caller, request, params, body, respondOnce } = input
  return respondOnce(async () => {
    const { from, to } = body
    const policy =
      body.policy ?? (await existingPolicy(store, holderNameOf(caller), params.name)).policy
    const { verdicts, ...result } = await replays.run(
      { caller, isGone: request.isGone },
      (signal) => testPolicy({ store, signal }, caller.platformId, policy, { from, to }),
    )
    const name = body.policy ? null : params.name
    const period = { from: time(from), to: time(to) }
    return ok({ policy: presentApplied(name, policy), ...period, ...verdicts, ...result })
  })
}

function target(name: string) {
  return { kind: 'policy', id: name }
}

function holderNameOf(caller: CallerOf<'platform' | 'owner'>): string {
  return accountOf(caller)?.name ?? ''
}

async function checkPolicyLimit({ policies }: Store, holder: string): Promise<void> {
  const { rows } = await policies.list(holder, null, POLICIES_MAX)
  const refusal = `there may be ${POLICIES_MAX} policies; delete one first`
  checkLimit('max_policies', rows.length, POLICIES_MAX, refusal)
}

async function existingPolicy(store: Store, holder: string, name: string): Promise<PolicyRow> {
  const row = await store.policies.find({ holder, name })
  if (!row) {
    throw notFound('policy')
  }
  return row
}
