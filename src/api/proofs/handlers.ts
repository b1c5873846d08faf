import { mayReadAll } from '../../auth/access.ts'
import type { Context } from '../../context.ts'
import { forbidden } from '../../domain/error.ts'
import { isTestId } from '../../domain/mode.ts'
import { scoringTime } from '../../domain/time.ts'
import { didOf } from '../../domain/verifiable-credential.ts'
import { ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { existingState } from '../../scoring/agent-state.ts'
import { exportLines } from '../../scoring/export.ts'
import { receiptOf, signReceipt } from '../../scoring/receipt.ts'
import { type SigningKeys, trustedKeys } from '../../signing/keys.ts'
import { NO_STORE } from '../caching.ts'
import type { OpenExports } from '../open-exports.ts'
import { presentJwk } from '../signing/present.ts'
import { PROOF_SPECS } from './spec.ts'

export interface ProofDeps extends Context {
  readonly lookups: Lookups
  /** Sign receipts. */
  readonly receiptKeys: SigningKeys
  /** Sign the receipts of test agents. */
  readonly testKeys: SigningKeys
  readonly baseUrl: () => string
  readonly exports: Semaphore
  readonly openExports: OpenExports
}

export function proofRoutes(deps: ProofDeps): readonly Route[] {
  return bind(PROOF_SPECS, deps, { getScoreReceipt, getReceiptKeys, exportEvents })
}

type In<Name extends keyof typeof PROOF_SPECS> = InputOf<(typeof PROOF_SPECS)[Name]>

async function getScoreReceipt(deps: ProofDeps, { caller, params }: In<'getScoreReceipt'>) {
  const { store, now, lookups, receiptKeys, testKeys, baseUrl } = deps
  const keys = isTestId(params.id) ? testKeys : receiptKeys
  const agentState = await existingState(store, params.id)
  await lookups.take(caller, 1)
  const at = scoringTime(agentState, now())
  const payload = receiptOf(agentState, { at, issuer: baseUrl() })
  const receipt = await signReceipt(payload, await keys.signing(store))
  return ok({ receipt, payload }, NO_STORE)
}

async function getReceiptKeys({ store, receiptKeys, baseUrl }: ProofDeps) {
  const did = didOf(baseUrl())
  const keys = (await trustedKeys(receiptKeys, store)).map((key) => presentJwk(did, key))
  return ok({ keys }, { 'cache-control': 'no-cache' })
}

async function exportEvents(deps: ProofDeps, { caller, params }: In<'exportEvents'>) {
  const { store, exports, openExports } = deps
  const agentState = await existingState(store, params.id)
  if (!mayReadAll(caller, agentState)) {
    throw forbidden('only the agent itself, its owner and the operator may export its events')
  }
  return openExports.send(caller, exportLines(store, params.id, exports))
}
