import { keysOfJwks } from '../keys.ts'
import {
  fetchFrom,
  isWebUrl,
  type Keys,
  type Kind,
  NO_KEYS,
  problemOf,
  type Reading,
  readJson,
  type SignatureInput,
} from '../kind.ts'
import { firstReason } from '../reasons.ts'
import { jwsSigner } from '../signature.ts'

/** A workload of a SPIFFE trust domain. The domain's host proves it, or a JWT-SVID of the domain. */
export const SPIFFE: Kind = {
  type: 'spiffe',
  form: 'must be a SPIFFE id, such as spiffe://example.org/agents/invoices',
  reasonAgainst: (_value, text) => firstReason(PATTERNS, text),
  isValue: (value) => /^spiffe:\/\/[a-z0-9._-]{1,255}(\/[a-zA-Z0-9._-]+)*$/.test(value),
  urlOf: (value) => `https://${trustDomainOf(value)}/`,
  hostOf: trustDomainOf,
  signerIn: () => 'the trust domain: a JWT-SVID of this id whose audience is the challenge',
  read: async () => NO_KEYS,
  moreKeys: domainKeys,
  signer: svidSigner,
  isKeyPublished: () => true,
}

/** What the SPIFFE ID specification rules out (2.1 and 2.2), in the text as it was given: lookups take other spellings. */
const PATTERNS = [
  [/^(?!spiffe:\/\/)/, 'does not start with spiffe:// in lower case'],
  [/#/, 'has a fragment'],
  [/\?/, 'has a query'],
  [/^spiffe:\/\/(\/|$)/, 'has no trust domain'],
  [/%/, 'has percent-encoding'],
  [/^spiffe:\/\/[^/]*@/, 'has user information'],
  [/^spiffe:\/\/[^/]*:/, 'has a port'],
  [/^spiffe:\/\/[^/]*[A-Z]/, 'has upper-case letters in its trust domain'],
  [
    /^spiffe:\/\/[^/]*[^a-z0-9._/-]/,
    'has a character in its trust domain that is not a lower-case letter, a digit or one of . _ -',
  ],
  [/\/$/, 'ends with a slash'],
  [/[^:]\/\//, 'has an empty path segment'],
  [/[^/]\/\.\.(\/|$)/, 'has the path segment ..'],
  [/[^/]\/\.(\/|$)/, 'has the path segment .'],
  [
    /^spiffe:\/\/[^/]*\/.*[^a-zA-Z0-9._/-]/,
    'has a character in its path that is not a letter, a digit or one of . _ -',
  ],
] as const

function trustDomainOf(value: string): string {
  return value.slice('spiffe://'.length).split('/')[0] ?? ''
}

/** The keys that the OIDC discovery of a trust domain publishes, as SPIRE's provider does. */
async function domainKeys(reading: Reading, value: string): Promise<Keys> {
  const host = trustDomainOf(value)
  const read = await fetchFrom(reading, host, '/.well-known/openid-configuration')
  if ('problem' in read) {
    return read
  }
  const jwksUri = jwksUriIn(read.document.text)
  if (jwksUri === null || new URL(jwksUri).hostname !== new URL(read.document.url).hostname) {
    return problemOf(
      'key_not_found',
      `the jwks_uri of ${host} must be a URL on the trust domain’s host`,
    )
  }
  const keys = await readJson(reading, jwksUri)
  return 'problem' in keys ? keys : { keys: await keysOfJwks(keys.json) }
}

function jwksUriIn(text: string): string | null {
  try {
    const { jwks_uri: uri } = JSON.parse(text) as { readonly jwks_uri?: unknown }
    return typeof uri === 'string' && isWebUrl(uri) ? uri : null
  } catch {
    return null
  }
}

/** The key of a JWT-SVID that is about this id, for this challenge, and not over. */
async function svidSigner({
  reading,
  value,
  challenge,
  signature,
  keys,
}: SignatureInput): Promise<string | null> {
  const [head = '', payload = '', made = ''] = signature.split('.')
  const signer = jwsSigner({ protected: head, payload, signature: made }, keys)
  if (!signer) {
    return null
  }
  const { sub, aud, exp } = claimsIn(payload)
  const isMeant = [aud].flat().includes(challenge)
  const isLiving = typeof exp === 'number' && exp * 1000 > reading.now()
  return sub === value && isMeant && isLiving ? signer.thumbprint : null
}

function claimsIn(payload: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(Buffer.from(payload, 'base64url').toString()) ?? {}) as Record<
      string,
      unknown
    >
  } catch {
    return {}
  }
}
