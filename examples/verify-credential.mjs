// Verifies a credential without asking the service, by what was fetched before:
//   node examples/verify-credential.mjs credential.jwt did.json revocation.jwt suspension.jwt
// did.json is the issuer's /.well-known/did.json; the lists are those its credentialStatus names.
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const [token, did, ...lists] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'))
const { id: issuer, verificationMethod: keys } = JSON.parse(did)
const bytes = (text) => Buffer.from(text, 'base64url')
const fail = (problem) => process.exit(console.error(`invalid: ${problem}`) ?? 1)

function open(jwt) {
  const [head, body, signature] = jwt.trim().split('.')
  const { alg, typ, kid } = JSON.parse(bytes(head))
  const key = keys.find(({ id }) => id === kid)?.publicKeyJwk ?? fail('a key of somebody else')
  if (alg !== 'EdDSA' || typ !== 'vc+jwt') fail('another kind of token')
  const text = Buffer.from(`${head}.${body}`)
  if (!verify(null, text, { key, format: 'jwk' }, bytes(signature))) fail('a wrong signature')
  const vc = JSON.parse(bytes(body))
  const now = new Date().toISOString()
  if (vc.issuer !== issuer) fail('another issuer')
  if (vc.validFrom > now || vc.validUntil <= now) fail('not yet, or no longer in force')
  return vc
}

const credential = open(token)
const published = lists.map(open)
for (const {
  statusListCredential,
  statusListIndex,
  statusPurpose,
} of credential.credentialStatus) {
  const list = published.find(({ id }) => id === statusListCredential) ?? fail('a list is missing')
  const bits = gunzipSync(bytes(list.credentialSubject.encodedList.slice(1)))
  if (bits[statusListIndex >> 3] & (0x80 >> (statusListIndex & 7))) fail(`under ${statusPurpose}`)
}
console.log('valid:', JSON.stringify(credential.credentialSubject))
