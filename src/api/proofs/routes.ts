import type { Context } from '../../context.ts'
import { forbidden, notFound } from '../../domain/error.ts'
import { didOf } from '../../domain/verifiable-credential.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import type { Semaphore } from '../../lib/semaphore.ts'
import type { Lookups } from '../../quotas/quotas.ts'
import { exportLines } from '../../scoring/export.ts'
import { receiptOf, signReceipt } from '../../scoring/receipt.ts'
import { publishedJwk, type SigningKeys, trustedKeys } from '../../signing/keys.ts'
import { IdParams } from '../wire.ts'
import { mayReadAll } from './access.ts'
import { Receipt, ReceiptKeySet } from './schema.ts'

export interface ProofRoutesOptions {
  readonly context: Context
  readonly lookups: Lookups
  /** What receipts are signed with. */
  readonly receiptKeys: SigningKeys
  readonly baseUrl: () => string
  readonly exports: Semaphore
}

const ANYONE = ['anonymous', 'owner', 'agent', 'platform', 'operator'] as const

export function proofRoutes(options: ProofRoutesOptions): readonly Route[] {
  const { context, lookups, receiptKeys, baseUrl, exports } = options
  const { store, now } = context

  const receipt = route({
    method: 'get',
    path: '/v1/agents/{id}/score/receipt',
    operationId: 'getScoreReceipt',
    tag: 'Scores',
    summary: 'The score, signed, with what it takes to compute it again',
    description:
      'With the export of the events, `standing verify` recomputes the score offline, to the last ' +
      'bit. Costs one lookup.',
    callers: ANYONE,
    params: IdParams,
    isPublic: true,
    answers: { 200: { description: 'The receipt', schema: Receipt } },
    errors: ['CONFLICT'],
    async handle({ caller, params: { id } }) {
      const agentState = await store.scores.find(id)
      if (!agentState) {
        throw notFound('agent')
      }
      await lookups.take(caller, 1)
      const at = Math.max(now(), agentState.updatedAt)
      const payload = receiptOf(agentState, { at, issuer: baseUrl() })
      const receipt = await signReceipt(payload, await receiptKeys.signing(store))
      return ok({ receipt, payload }, { 'cache-control': 'no-store' })
    },
  })

  const keySet = route({
    method: 'get',
    path: '/v1/receipts/keys',
    operationId: 'getReceiptKeys',
    tag: 'Scores',
    summary: 'The public keys that receipts are signed with',
    description:
      'A receipt names its own by `kid`. They are in /.well-known/jwks.json too, behind those of the ' +
      'credentials.',
    callers: ANYONE,
    isPublic: true,
    answers: { 200: { description: 'A JWK Set', schema: ReceiptKeySet } },
    async handle() {
      const did = didOf(baseUrl())
      const keys = (await trustedKeys(receiptKeys, store)).map((key) => publishedJwk(did, key))
      return ok({ keys }, { 'cache-control': 'no-cache' })
    },
  })

  const events = route({
    method: 'get',
    path: '/v1/agents/{id}/events/export',
    operationId: 'exportEvents',
    tag: 'Events',
    summary: 'Every event that counts, in the order folded, to compute the score again',
    description: 'Lines of JSON. For the agent itself, its owner and the operator.',
    callers: ['agent', 'owner', 'operator'],
    params: IdParams,
    answers: {
      200: {
        description: 'One event a line',
        schema: z.string(),
        contentType: 'application/x-ndjson',
      },
    },
    async handle({ caller, params: { id } }) {
      const agentState = await store.scores.find(id)
      if (!agentState) {
        throw notFound('agent')
      }
      if (!mayReadAll(caller, agentState)) {
        throw forbidden('only the agent itself, its owner and the operator export its events')
      }
      return {
        status: 200,
        body: ReadableStream.from(exportLines(store, id, exports)).pipeThrough(
          new TextEncoderStream(),
        ),
        headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
      }
    },
  })

  return [receipt, keySet, events]
}
