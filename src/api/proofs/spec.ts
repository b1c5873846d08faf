import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { JSON_LINES_TYPE } from '../caching.ts'
import { ANYONE, IdParams } from '../wire.ts'
import { Receipt, ReceiptKeySet } from './schema.ts'

export const PROOF_SPECS = {
  getScoreReceipt: {
    method: 'get',
    path: '/v1/agents/{id}/score/receipt',
    tag: 'Scores',
    summary: 'Get a signed receipt of the score',
    description:
      'No credential needed. Returns the score signed by the service, with the hashes that tie it to ' +
      'the event log and the model. With the export of the events `standing verify` recomputes the ' +
      'score offline, bit for bit. Costs one lookup.',
    callers: ANYONE,
    params: IdParams,
    isPublic: true,
    responses: { 200: { description: 'The receipt', schema: Receipt } },
  },
  getReceiptKeys: {
    method: 'get',
    path: '/v1/receipts/keys',
    tag: 'Scores',
    summary: 'Get the public keys that sign receipts',
    description:
      'No credential needed. Returns a JWK Set; the `kid` of a receipt names its key. ' +
      '`/.well-known/jwks.json` lists the same keys after those of the credentials.',
    callers: ANYONE,
    isPublic: true,
    responses: { 200: { description: 'A JWK Set', schema: ReceiptKeySet } },
  },
  exportEvents: {
    method: 'get',
    path: '/v1/agents/{id}/events/export',
    tag: 'Events',
    summary: 'Export every event that counts, to recompute the score',
    description:
      'The agent itself, its owner and the operator only; `FORBIDDEN` for other callers. Returns ' +
      'JSON lines in the order in which the events were scored.',
    callers: ['agent', 'owner', 'operator'],
    params: IdParams,
    responses: {
      200: { description: 'One event per line', schema: z.string(), contentType: JSON_LINES_TYPE },
    },
  },
} as const satisfies RouteSpecs
