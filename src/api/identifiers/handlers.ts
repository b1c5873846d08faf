import { existingAgent, managedAgent, mayReadAll } from '../../auth/access.ts'
import type { Context } from '../../context.ts'
import type { CallerOf } from '../../domain/caller.ts'
import type { Identifier } from '../../domain/identifier.ts'
import { created, noContent, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { claimIdentifier as claim } from '../../identifiers/claim.ts'
import type { Reading } from '../../identifiers/kind.ts'
import * as verification from '../../identifiers/verify.ts'
import { living } from '../../identity/agents.ts'
import type { FairQueue } from '../../lib/fair-queue/fair-queue.ts'
import type { Store } from '../../store/store.ts'
import { idOf, pageByKey } from '../paging.ts'
import { presentIdentifier, presentPublicIdentifier } from './present.ts'
import { IDENTIFIER_SPECS } from './spec.ts'

export interface IdentifierDeps extends Context {
  readonly baseUrl: () => string
  readonly reading: Reading
  /** Bounds the proofs that are checked at the same time. */
  readonly proofs: FairQueue
}

export function identifierRoutes(deps: IdentifierDeps): readonly Route[] {
  return bind(IDENTIFIER_SPECS, deps, {
    claimIdentifier,
    listIdentifiers,
    verifyIdentifier,
    deleteIdentifier,
  })
}

type In<Name extends keyof typeof IDENTIFIER_SPECS> = InputOf<(typeof IDENTIFIER_SPECS)[Name]>

function claimIdentifier(deps: IdentifierDeps, input: In<'claimIdentifier'>) {
  const { caller, params, body, transact } = input
  return transact(async (within) => {
    const agent = living(await managedAgent(within, caller, params.id))
    const addresses = deps.reading.outbound.policy
    const { identifier, isNew } = await claim(within, { ...deps, addresses }, agent.id, body)
    const presented = presentIdentifier(identifier)
    return isNew ? created(presented) : ok(presented)
  })
}

async function listIdentifiers(deps: IdentifierDeps, input: In<'listIdentifiers'>) {
  const { caller, query, params } = input
  const agent = await existingAgent(deps.store, params.id)
  const seesAll = mayReadAll(caller, { agentId: agent.id, ownerId: agent.ownerId })
  const status = seesAll ? undefined : 'verified'
  const name = { list: 'identifiers', agentId: agent.id, status }
  const { after, limit, respond } = pageByKey(deps.cursors, query, name)
  const page = await deps.store.identifiers.list({ agentId: agent.id, status }, after, limit)
  const present = seesAll ? presentIdentifier : presentPublicIdentifier
  return respond(page, present, idOf)
}

function verifyIdentifier(deps: IdentifierDeps, input: In<'verifyIdentifier'>) {
  const { caller, params, body, transactAfter } = input
  return transactAfter({
    async prepare() {
      const identifier = await managedIdentifier(deps.store, caller, params)
      const prove = () => verification.proveClaim(deps, identifier, body?.signature)
      return { identifier, proven: await deps.proofs.run(caller.ownerId, 1, prove) }
    },
    async work(within, { identifier, proven }) {
      const verified = await verification.recordProof(
        within,
        { ...deps, caller },
        identifier,
        proven,
      )
      // Once the agent is locked: it may have another owner since the proof was checked.
      living(await managedAgent(within, caller, params.id))
      return ok(presentIdentifier(verified))
    },
  })
}

function deleteIdentifier(deps: IdentifierDeps, input: In<'deleteIdentifier'>) {
  const { caller, params, transact } = input
  return transact(async (within) => {
    const { id: agentId } = await managedAgent(within, caller, params.id)
    const named = { agentId, id: params.identifierId }
    await verification.deleteIdentifier(within, { ...deps, caller }, named)
    // Once the agent is locked: it may have another owner by now.
    await managedAgent(within, caller, agentId)
    return noContent()
  })
}

async function managedIdentifier(
  store: Store,
  caller: CallerOf<'agent' | 'owner'>,
  { id, identifierId }: { readonly id: string; readonly identifierId: string },
): Promise<Identifier> {
  const agent = living(await managedAgent(store, caller, id))
  return verification.existingIdentifier(store, { agentId: agent.id, id: identifierId })
}
