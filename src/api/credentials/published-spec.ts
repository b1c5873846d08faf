import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import { STATUS_PURPOSES } from '../../domain/verifiable-credential.ts'
import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { Jwk } from '../signing/schema.ts'
import { ANYONE } from '../wire.ts'

export const DID_TYPE = 'application/did+json'
export const JWKS_TYPE = 'application/jwk-set+json'

const DID = 'did:web:trust.example.com'
const KID = `${DID}#kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k`
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'

const Jwks = z.object({ keys: z.array(Jwk) }).openapi('Jwks')

const DidDocument = z
  .object({
    '@context': z.array(z.string()),
    id: z.string(),
    verificationMethod: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        controller: z.string(),
        publicKeyJwk: z.object({ kty: z.string(), crv: z.string(), x: z.string() }),
      }),
    ),
    assertionMethod: z.array(z.string()),
  })
  .openapi('DidDocument', {
    example: {
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/jwk/v1'],
      id: DID,
      verificationMethod: [
        {
          id: KID,
          type: 'JsonWebKey',
          controller: DID,
          publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: X },
        },
      ],
      assertionMethod: [KID],
    },
  })

const ListParams = z.object({
  list: z
    .string()
    .regex(/^[1-9]\d{0,8}$/, 'must be the number of a list')
    .transform(Number)
    .openapi({ type: 'integer', minimum: 1, description: 'The number of the list.', example: 1 }),
  purpose: z.enum(STATUS_PURPOSES).openapi({ description: 'What a set bit means.' }),
})

const GET_DID = {
  method: 'get',
  tag: 'Credentials',
  summary: 'Get the DID document of the service (did:web)',
  callers: ANYONE,
  isPublic: true,
  responses: {
    200: { description: 'The document', schema: DidDocument, contentType: DID_TYPE },
  },
} as const

/** What an offline verifier needs: the signing keys, and what is revoked. */
export const PUBLISHED_SPECS = {
  getDidDocument: {
    ...GET_DID,
    path: '/.well-known/did.json',
    description:
      'No credential needed. Lists the public keys that sign credentials, retired ones included; a ' +
      'revoked key is not listed.',
  },
  getDidDocumentAtPath: {
    ...GET_DID,
    path: '/did.json',
    description:
      'The same as `/.well-known/did.json`, where did:web looks for it when the service is reached ' +
      'under a path. No credential needed.',
  },
  getJwks: {
    method: 'get',
    path: '/.well-known/jwks.json',
    tag: 'Credentials',
    summary: 'Get the public keys of credentials and receipts as a JWK Set',
    description:
      'No credential needed. Lists the keys of the DID document, then those that sign receipts, each ' +
      'with its absolute `kid`.',
    callers: ANYONE,
    isPublic: true,
    responses: { 200: { description: 'The keys', schema: Jwks, contentType: JWKS_TYPE } },
  },
  getStatusList: {
    method: 'get',
    path: '/v1/status-lists/{list}/{purpose}',
    tag: 'Credentials',
    summary: 'Get a Bitstring Status List of revoked or suspended credentials',
    description:
      'No credential needed. Returns a signed credential that holds one bit per credential, unused ' +
      'entries included.',
    callers: ANYONE,
    params: ListParams,
    isPublic: true,
    responses: {
      200: { description: 'The signed list', schema: z.string(), contentType: TOKEN_MEDIA_TYPE },
    },
  },
} as const satisfies RouteSpecs
