import { createHash } from 'node:crypto'
import type { Context } from '../../context.ts'
import { type StatusLists, TTL_MS } from '../../credentials/status-list.ts'
import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import { didOf, STATUS_PURPOSES } from '../../domain/verifiable-credential.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import {
  absoluteKid,
  publicJwk,
  publishedJwk,
  type SigningKeys,
  trustedKeys,
} from '../../signing/keys.ts'
import type { SigningKeyRow } from '../../store/store.ts'
import { Jwk } from '../signing/schema.ts'

export interface PublishedRoutesOptions {
  readonly context: Context
  readonly keys: SigningKeys
  /** What the receipts of scores are signed with. */
  readonly receiptKeys: SigningKeys
  readonly lists: StatusLists
  readonly baseUrl: () => string
}

const ANYONE = ['anonymous', 'owner', 'agent', 'platform', 'operator'] as const

/** A key that is replaced or revoked is to be known soon; whoever meets a new one asks again anyway. */
const KEYS_CACHE = 'public, max-age=60'

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
  purpose: z.enum(STATUS_PURPOSES).openapi({ description: 'What its bits tell of.' }),
})

/** What a verifier needs who does not ask us: who signs, and what was revoked. */
export function publishedRoutes(options: PublishedRoutesOptions): readonly Route[] {
  const { context, keys, receiptKeys, lists, baseUrl } = options
  const { store } = context

  const didRoute = (path: string, operationId: string) =>
    route({
      method: 'get',
      path,
      operationId,
      tag: 'Credentials',
      summary: 'Who signs the credentials, as a DID document (did:web)',
      description: 'Holds every key whose word still holds, the retired ones too.',
      callers: ANYONE,
      isPublic: true,
      answers: {
        200: {
          description: 'The document',
          schema: DidDocument,
          contentType: 'application/did+json',
        },
      },
      async handle() {
        const document = didDocument(didOf(baseUrl()), await trustedKeys(keys, store))
        return cached(JSON.stringify(document), 'application/did+json', KEYS_CACHE)
      },
    })

  const jwks = route({
    method: 'get',
    path: '/.well-known/jwks.json',
    operationId: 'getJwks',
    tag: 'Credentials',
    summary: 'The public keys of credentials and receipts, as a JWK set',
    description:
      'The keys of the DID document, and behind them those that receipts are signed with, each by ' +
      'its absolute `kid`.',
    callers: ANYONE,
    isPublic: true,
    answers: {
      200: { description: 'The keys', schema: Jwks, contentType: 'application/jwk-set+json' },
    },
    async handle() {
      const did = didOf(baseUrl())
      const both = await Promise.all([keys, receiptKeys].map((one) => trustedKeys(one, store)))
      const set = both.flat().map((key) => publishedJwk(did, key))
      return cached(JSON.stringify({ keys: set }), 'application/jwk-set+json', KEYS_CACHE)
    },
  })

  const statusList = route({
    method: 'get',
    path: '/v1/status-lists/{list}/{purpose}',
    operationId: 'getStatusList',
    tag: 'Credentials',
    summary: 'Which credentials are revoked or suspended (Bitstring Status List)',
    description: 'A signed credential itself: a bit for each credential, and many that are none.',
    callers: ANYONE,
    params: ListParams,
    isPublic: true,
    answers: {
      200: {
        description: 'The list, signed',
        schema: z.string(),
        contentType: TOKEN_MEDIA_TYPE,
      },
    },
    async handle({ params: { list, purpose } }) {
      const { jwt, etag } = await lists.publish(list, purpose)
      return ok(jwt, {
        'content-type': TOKEN_MEDIA_TYPE,
        'cache-control': `public, max-age=${TTL_MS / 1000}`,
        etag,
      })
    },
  })

  return [
    didRoute('/.well-known/did.json', 'getDidDocument'),
    // Where a did:web with a path is looked for.
    didRoute('/did.json', 'getDidDocumentAtPath'),
    jwks,
    statusList,
  ]
}

/**
 * Each key under the type that VC-JOSE-COSE names, and once more under the older one that libraries
 * in use look for. A retired key stays: what it signed still holds.
 */
function didDocument(did: string, keys: readonly SigningKeyRow[]) {
  const verificationMethod = keys.flatMap((key) => [
    methodOf(did, key, key.kid, 'JsonWebKey'),
    methodOf(did, key, `${key.kid}-2020`, 'JsonWebKey2020'),
  ])
  return {
    '@context': [
      'https://www.w3.org/ns/did/v1',
      'https://w3id.org/security/jwk/v1',
      'https://w3id.org/security/suites/jws-2020/v1',
    ],
    id: did,
    verificationMethod,
    assertionMethod: verificationMethod.map(({ id }) => id),
  }
}

function methodOf(did: string, key: SigningKeyRow, fragment: string, type: string) {
  return { id: absoluteKid(did, fragment), type, controller: did, publicKeyJwk: publicJwk(key) }
}

function cached(body: string, contentType: string, cacheControl: string) {
  const etag = createHash('sha256').update(body).digest('base64url').slice(0, 22)
  return ok(body, {
    'content-type': contentType,
    'cache-control': cacheControl,
    etag: `"${etag}"`,
  })
}
