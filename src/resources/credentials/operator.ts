import { credentialPayload, didOf } from '../../core/verifiable.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import type { Store } from '../../store/store.ts'
import { audit } from '../audit/audit.ts'
import type { Issuing } from './credentials.ts'
import {
  KidParams,
  presentKey,
  Reissued,
  RevokeKeyBody,
  SigningKey,
  SigningKeys,
} from './schema.ts'

/** Signed anew at once: well under a second's work, so that nobody waits long for a locked row. */
const REISSUED_MAX = 1_000

/** Keys and what they signed, for whoever runs the service. */
export function signingRoutes(issuing: Issuing): readonly Route[] {
  const { context, keys } = issuing

  const list = route({
    method: 'get',
    path: '/v1/operator/keys',
    operationId: 'listSigningKeys',
    tag: 'Operator',
    summary: 'The keys that credentials are signed with, the one in force first',
    description: 'Public keys alone: the private ones never leave the service.',
    callers: ['operator'],
    answers: { 200: { description: 'The keys', schema: SigningKeys } },
    async handle() {
      return ok({ data: (await keys.list(context.store)).map(presentKey) })
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
    answers: { 200: { description: 'The key in force', schema: SigningKey } },
    handle: ({ caller, transact }) =>
      transact(async (within) => {
        const key = await keys.rotate(within)
        await audit(within, context, caller, 'signing_key.rotated', target(key.kid))
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
      'Takes effect at once and everywhere; a key in force is replaced. Then re-issue what it signed.',
    callers: ['operator'],
    params: KidParams,
    body: RevokeKeyBody,
    answers: { 200: { description: 'The key', schema: SigningKey } },
    errors: ['CONFLICT'],
    handle: ({ caller, params: { kid }, body, transact }) =>
      transact(async (within) => {
        const key = await keys.revoke(within, kid)
        await audit(within, context, caller, 'signing_key.revoked', target(kid), body)
        return ok(presentKey(key))
      }),
  })

  const reissue = route({
    method: 'post',
    path: '/v1/operator/credentials/reissue',
    operationId: 'reissueCredentials',
    tag: 'Operator',
    summary: 'Sign living credentials anew, by the key and address in force',
    description:
      `Up to ${REISSUED_MAX} at once of those signed otherwise; repeat while there are more. ` +
      'Nothing else of them changes.',
    callers: ['operator'],
    answers: { 200: { description: 'How many were signed anew', schema: Reissued } },
    handle: ({ caller, transact }) =>
      transact(async (within) => {
        const outcome = await reissueSome(within, issuing)
        const { reissued } = outcome
        await audit(within, context, caller, 'credentials.reissued', null, { reissued })
        return ok(outcome)
      }),
  })

  return [list, rotate, revoke, reissue]
}

function target(kid: string) {
  return { kind: 'signing_key', id: kid }
}

async function reissueSome(within: Store, { context: { now }, keys, baseUrl }: Issuing) {
  const at = now()
  const inForce = { issuer: didOf(baseUrl()), kid: (await keys.inForce(within)).kid }
  const found = await within.credentials.signedOtherwise(inForce, at, REISSUED_MAX + 1)
  const some = found.slice(0, REISSUED_MAX)
  const sign = await keys.signer(within, baseUrl())
  const signatures = await Promise.all(
    some.map(async (credential) => {
      const signed = await sign(credentialPayload(credential, baseUrl(), at))
      return { id: credential.id, signature: { ...signed, signedAt: at } }
    }),
  )
  await within.credentials.sign(signatures)
  return { reissued: some.length, more: found.length > some.length }
}
