import type { Context } from '../../context.ts'
import { notFound } from '../../domain/error.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import type { SigningKeys as Keys } from '../../signing/keys.ts'
import type { Store } from '../../store/store.ts'
import { audit } from '../audit/routes.ts'
import {
  KidParams,
  presentKey,
  RevokeKeyBody,
  RotateBody,
  SigningKey,
  SigningKeys,
} from './schema.ts'

export interface SigningRoutesOptions {
  readonly context: Context
  /** What credentials are signed with, and what receipts are. */
  readonly keys: Keys
  readonly receiptKeys: Keys
}

/** The keys, for whoever runs the service. */
export function signingRoutes(options: SigningRoutesOptions): readonly Route[] {
  const { context } = options
  const { store } = context
  const both = () => [options.keys, options.receiptKeys]

  const list = route({
    method: 'get',
    path: '/v1/operator/keys',
    operationId: 'listSigningKeys',
    tag: 'Operator',
    summary: 'The keys that credentials and receipts are signed with, those in force first',
    description: 'Public keys alone: the private ones never leave the service.',
    callers: ['operator'],
    answers: { 200: { description: 'The keys, by what they sign', schema: SigningKeys } },
    async handle() {
      const rows = await Promise.all(both().map((keys) => keys.list(store)))
      return ok({ data: rows.flat().map(presentKey) })
    },
  })

  const rotate = route({
    method: 'post',
    path: '/v1/operator/keys/rotate',
    operationId: 'rotateSigningKey',
    tag: 'Operator',
    summary: 'Sign with a new key from now on',
    description: 'What was signed before still verifies, by the key before, which stays published.',
    callers: ['operator'],
    body: RotateBody,
    answers: { 200: { description: 'The key in force', schema: SigningKey } },
    handle: ({ caller, body, transact }) =>
      transact(async (within) => {
        const { purpose } = body ?? {}
        const key = await (purpose === 'receipts' ? options.receiptKeys : options.keys).rotate(
          within,
        )
        const details = { purpose: key.purpose }
        await audit(within, context, caller, 'signing_key.rotated', target(key.kid), details)
        return ok(presentKey(key))
      }),
  })

  const revoke = route({
    method: 'post',
    path: '/v1/operator/keys/{kid}/revoke',
    operationId: 'revokeSigningKey',
    tag: 'Operator',
    summary: 'Believe nothing that a key signed: for one that leaked',
    description:
      'Takes effect at once and everywhere; a key in force is replaced. Then re-issue the ' +
      'credentials it signed; a receipt can be asked for anew.',
    callers: ['operator'],
    params: KidParams,
    body: RevokeKeyBody,
    answers: { 200: { description: 'The key', schema: SigningKey } },
    errors: ['CONFLICT'],
    handle: ({ caller, params: { kid }, body, transact }) =>
      transact(async (within) => {
        const keys = await holderOf(within, both(), kid)
        const key = await keys.revoke(within, kid)
        await audit(within, context, caller, 'signing_key.revoked', target(kid), body)
        return ok(presentKey(key))
      }),
  })

  return [list, rotate, revoke]
}

async function holderOf(within: Store, all: readonly Keys[], kid: string): Promise<Keys> {
  for (const keys of all) {
    if ((await keys.list(within)).some((one) => one.kid === kid)) {
      return keys
    }
  }
  throw notFound('signing key')
}

function target(kid: string) {
  return { kind: 'signing_key', id: kid }
}
