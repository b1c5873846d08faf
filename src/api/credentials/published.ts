import type { Context } from '../../context.ts'
import { type StatusLists, TTL_MS } from '../../credentials/status-list.ts'
import { TOKEN_MEDIA_TYPE } from '../../credentials/token.ts'
import { didOf } from '../../domain/verifiable-credential.ts'
import { okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { absoluteKid, publicJwk, type SigningKeys, trustedKeys } from '../../signing/keys.ts'
import type { SigningKeyRow } from '../../store/store.ts'
import { tagged } from '../caching.ts'
import { presentJwk } from '../signing/present.ts'
import { DID_TYPE, JWKS_TYPE, PUBLISHED_SPECS } from './published-spec.ts'

export interface PublishedDeps extends Pick<Context, 'store'> {
  /** Sign credentials. */
  readonly keys: SigningKeys
  /** Sign receipts. */
  readonly receiptKeys: SigningKeys
  readonly lists: StatusLists
  readonly baseUrl: () => string
}

/**
 * A replaced or revoked key must be known soon; a verifier that sees an unknown one reads again
 * anyway.
 */
const KEYS_CACHE = 'public, max-age=60'

export function publishedRoutes(deps: PublishedDeps): readonly Route[] {
  return bind(PUBLISHED_SPECS, deps, {
    getDidDocument,
    getDidDocumentAtPath: getDidDocument,
    getJwks,
    getStatusList,
  })
}

async function getDidDocument({ store, keys, baseUrl }: PublishedDeps) {
  const document = didDocument(didOf(baseUrl()), await trustedKeys(keys, store))
  return keyResponse(document, DID_TYPE)
}

async function getJwks({ store, keys, receiptKeys, baseUrl }: PublishedDeps) {
  const did = didOf(baseUrl())
  const both = await Promise.all([keys, receiptKeys].map((one) => trustedKeys(one, store)))
  return keyResponse({ keys: both.flat().map((key) => presentJwk(did, key)) }, JWKS_TYPE)
}

async function getStatusList(
  { lists }: PublishedDeps,
  { params }: InputOf<typeof PUBLISHED_SPECS.getStatusList>,
) {
  const { jwt, etag } = await lists.publish(params.list, params.purpose)
  return okContent(jwt, TOKEN_MEDIA_TYPE, {
    'cache-control': `public, max-age=${TTL_MS / 1000}`,
    etag,
  })
}

function keyResponse(body: object, contentType: string) {
  return tagged(JSON.stringify(body), contentType, { 'cache-control': KEYS_CACHE })
}

/**
 * Each key under the type that VC-JOSE-COSE names, and once more under the older one that libraries
 * in use look for. A retired key stays, because what it signed is still valid.
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
