import type { Issuing } from '../../credentials/issue.ts'
import { signerOf } from '../../credentials/token.ts'
import { credentialPayload, didOf } from '../../domain/verifiable-credential.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import type { Store } from '../../store/store.ts'
import { audit } from '../audit/routes.ts'
import { Reissued } from './schema.ts'

/** Signed anew at once: well under a second's work, so that nobody waits long for a locked row. */
const REISSUED_MAX = 1_000

/** What was signed by another key, for whoever runs the service. */
export function reissueRoutes(issuing: Issuing): readonly Route[] {
  const { context } = issuing
  return [
    route({
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
    }),
  ]
}

async function reissueSome(within: Store, { context: { now }, keys, baseUrl }: Issuing) {
  const at = now()
  const inForce = { issuer: didOf(baseUrl()), kid: (await keys.inForce(within)).kid }
  const found = await within.credentials.signedOtherwise(inForce, at, REISSUED_MAX + 1)
  const some = found.slice(0, REISSUED_MAX)
  const sign = await signerOf(keys, within, baseUrl())
  const signatures = await Promise.all(
    some.map(async (credential) => {
      const signed = await sign(credentialPayload(credential, baseUrl(), at))
      return { id: credential.id, signature: { ...signed, signedAt: at } }
    }),
  )
  await within.credentials.sign(signatures)
  return { reissued: some.length, more: found.length > some.length }
}
