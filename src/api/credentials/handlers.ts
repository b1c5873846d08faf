import { audit } from '../../audit/audit.ts'
import { ownAgent } from '../../auth/access.ts'
import type { Context } from '../../context.ts'
import { expiryOf, scoreExpiryOf } from '../../credentials/expiry.ts'
import * as issuing from '../../credentials/issue.ts'
import { reissueSome } from '../../credentials/reissue.ts'
import { settle } from '../../credentials/revocation.ts'
import {
  existingCredential,
  type Verification,
  verifyById,
  verifyToken,
} from '../../credentials/verify.ts'
import { modeOfCaller } from '../../domain/caller.ts'
import { basePathOf } from '../../http/base-path.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type Input, type InputOf, type Route } from '../../http/route.ts'
import { createKeyedMutex, type KeyedMutex } from '../../lib/keyed-mutex.ts'
import { NO_STORE } from '../caching.ts'
import { checkId } from '../modes.ts'
import { pageOf } from '../paging.ts'
import { credentialResponse } from './formats.ts'
import { presentCredential, presentVerification } from './present.ts'
import { CREDENTIAL_SPECS, REISSUE_SPECS } from './spec.ts'

export interface CredentialDeps extends Context, issuing.Issuing {}

interface Deps extends CredentialDeps {
  /** Changes of one agent's credentials wait here for each other, not each with a connection. */
  readonly agents: KeyedMutex
}

export function credentialRoutes(given: CredentialDeps): readonly Route[] {
  const deps: Deps = { ...given, agents: createKeyedMutex() }
  return bind(CREDENTIAL_SPECS, deps, {
    issueCredential,
    issueScoreCredential,
    listCredentials,
    getCredential,
    verifyCredentialById,
    verifyCredential,
    revokeCredential,
  })
}

export function reissueRoutes(deps: CredentialDeps): readonly Route[] {
  return bind(REISSUE_SPECS, deps, { reissueCredentials })
}

type Specs = typeof CREDENTIAL_SPECS & typeof REISSUE_SPECS
type In<Name extends keyof Specs> = InputOf<Specs[Name]>

async function issueCredential(deps: Deps, { caller, body, transact }: In<'issueCredential'>) {
  const { ownerId } = caller
  const { agentId, type, claims } = body
  const { now } = deps
  const expiresAt = expiryOf(body.expiresAt, now())
  const content = { ownerId, agentId, type, claims, expiresAt }
  return deps.agents.run(queueOf(ownerId, agentId), () =>
    transact(async (within) => {
      const issued = await issuing.issueCredential(within, deps, content)
      return created(presentCredential(issued, now()))
    }),
  )
}

async function issueScoreCredential(deps: Deps, input: In<'issueScoreCredential'>) {
  const { caller, params, body, transact } = input
  const { ownerId } = caller
  const { now } = deps
  const expiresAt = scoreExpiryOf(body.expiresAt, now())
  const claim = { ownerId, agentId: params.id, atLeast: body.atLeast, expiresAt }
  return deps.agents.run(queueOf(ownerId, params.id), () =>
    transact(async (within) => {
      const issued = await issuing.issueScoreCredential(within, deps, claim)
      return created(presentCredential(issued, now()))
    }),
  )
}

async function listCredentials(deps: Deps, { caller, query }: In<'listCredentials'>) {
  const { store, cursors, now } = deps
  const { agentId, status } = query
  const name = { list: 'credentials', agentId, status }
  const { position, limit, respond } = pageOf<[string, number]>(cursors, query, name)
  await ownAgent(store, caller.ownerId, agentId)
  const agentState = await store.agentStates.find({ agentId })
  if (agentState) {
    await settle(store, agentState, now())
  }
  // Every page uses the status at the time of the first, so that none is skipped between them.
  const [before, asOf] = position ?? [null, now()]
  const page = await store.credentials.list({ agentId, status, asOf }, before, limit)
  const present = (row: (typeof page.rows)[number]) => presentCredential(row, now())
  return respond(page, present, ({ id }) => [id, asOf])
}

async function getCredential(deps: Deps, { params, request }: In<'getCredential'>) {
  const credential = await existingCredential(deps, params.id)
  const presented = presentCredential(credential, deps.now())
  const basePath = basePathOf(deps.baseUrl())
  return credentialResponse(presented, request.headers.get('accept'), basePath)
}

function verifyCredentialById(deps: Deps, input: In<'verifyCredentialById'>) {
  return verified(deps, input, () => verifyById(deps, input.params.id))
}

function verifyCredential(deps: Deps, input: In<'verifyCredential'>) {
  const { caller } = input
  const { credentialId, jwt = '' } = input.body
  if (credentialId !== undefined) {
    checkId(caller, credentialId)
    return verified(deps, input, () => verifyById(deps, credentialId))
  }
  return verified(deps, input, () => verifyToken(deps, jwt, modeOfCaller(caller)))
}

function verified(
  { now }: Deps,
  { respondOnce }: Pick<Input, 'respondOnce'>,
  verify: () => Promise<Verification>,
) {
  return respondOnce(async () => ok(presentVerification(await verify(), now()), NO_STORE))
}

async function revokeCredential(deps: Deps, input: In<'revokeCredential'>) {
  const { caller, params, body, transact } = input
  const { agentId = params.id } = (await deps.store.credentials.find({ id: params.id })) ?? {}
  const reason = body?.reason ?? null
  return deps.agents.run(queueOf(caller.ownerId, agentId), () =>
    transact(async (within) => {
      const revocation = { ownerId: caller.ownerId, id: params.id, reason }
      const revoked = await issuing.revokeCredential(within, deps.recorder, revocation)
      return ok(presentCredential(revoked, deps.now()))
    }),
  )
}

function reissueCredentials(deps: CredentialDeps, input: In<'reissueCredentials'>) {
  const { caller, transact } = input
  return transact(async (within) => {
    const outcome = await reissueSome(within, deps)
    const { reissued } = outcome
    await audit(within, deps, caller, {
      action: 'credentials.reissued',
      target: null,
      details: { reissued },
    })
    return ok(outcome)
  })
}

/** A request about another owner's agent waits in a queue of its own. */
function queueOf(ownerId: string, agentId: string): string {
  return `${ownerId} ${agentId}`
}
