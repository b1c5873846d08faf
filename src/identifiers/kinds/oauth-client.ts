import { keysOfJwks } from '../keys.ts'
import {
  hostOfUrl,
  isWebUrl,
  type Keys,
  type Kind,
  NO_KEYS,
  problemOf,
  type Reading,
  readJson,
} from '../kind.ts'

/** An OAuth client: one that is its own metadata document can be proven, an opaque id cannot. */
export const OAUTH_CLIENT: Kind = {
  type: 'oauth_client',
  form: 'must be the https URL of a client id metadata document, or a client id of visible ASCII characters',
  isValue: (value) => isWebUrl(value) || /^[\x21-\x7e]+$/.test(value),
  urlOf: (value) => (isWebUrl(value) ? value : null),
  hostOf: (value) => (isWebUrl(value) ? hostOfUrl(value) : null),
  signerIn: (value) => (isWebUrl(value) ? 'a key of the client’s `jwks` or `jwks_uri`' : null),
  read: readClient,
  isKeyPublished: isWebUrl,
}

/** draft-ietf-oauth-client-id-metadata-document: the document's `client_id` is its own URL. */
async function readClient(reading: Reading, value: string): Promise<Keys> {
  if (!isWebUrl(value)) {
    return problemOf(
      'not_provable',
      'an opaque client id is known to its authorization server alone; use a client id metadata document',
    )
  }
  const read = await readJson(reading, value)
  if ('problem' in read) {
    return read
  }
  const { client_id: clientId, jwks, jwks_uri: jwksUri } = read.json
  if (clientId !== value) {
    return problemOf('wrong_subject', `the client_id in ${value} must be that URL itself`)
  }
  if (jwks !== undefined) {
    return { keys: await keysOfJwks(jwks) }
  }
  return typeof jwksUri === 'string' ? readKeys(reading, value, jwksUri) : NO_KEYS
}

async function readKeys(reading: Reading, value: string, jwksUri: string): Promise<Keys> {
  if (!isWebUrl(jwksUri) || new URL(jwksUri).origin !== new URL(value).origin) {
    return problemOf('key_not_found', 'the jwks_uri must be a URL on the host of the client id')
  }
  const read = await readJson(reading, jwksUri)
  return 'problem' in read ? read : { keys: await keysOfJwks(read.json) }
}
