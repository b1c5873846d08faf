// Verifies a credential without asking the service, by what was fetched before:
//   node examples/verify-credential.mjs credential.jwt did.json revocation.jwt suspension.jwt
// did.json is the issuer's /.well-known/did.json; the lists are those its credentialStatus names.
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const [did, ...tokens] = [3, 2, 4, 5].map((n) => readFileSync(process.argv[n], 'utf8').trim())
const { id: issuer, verificationMethod: keys } = JSON.parse(did)
const bytes = (text) => Buffer.from(text, 'base64url')
const fail = (problem) => process.exit(console.error(`invalid: ${problem}`) ?? 1)

const [credential, ...lists] = tokens.map((token) => {
  const [head, body, signature] = token.split('.')
  const { alg, typ, kid } = JSON.parse(bytes(head))
  const key = keys.find(({ id }) => id === kid)?.publicKeyJwk ?? fail('a key of somebody else')
  const text = Buffer.from(`${head}.${body}`)
  const isSigned = verify(null, text, { key, format: 'jwk' }, bytes(signature))
  if (!isSigned || alg !== 'EdDSA' || typ !== 'vc+jwt') fail('a wrong signature')
  const { nbf, exp = Infinity, ...vc } = JSON.parse(bytes(body))
  if (nbf * 1000 > Date.now() || exp * 1000 <= Date.now()) fail('not yet, or no longer in force')
  return vc.issuer === issuer ? vc : fail('another issuer')
})
for (const entry of credential.credentialStatus) {
  const list = lists.find(({ id }) => id === entry.statusListCredential) ?? fail('a missing list')
  const bits = gunzipSync(bytes(list.credentialSubject.encodedList.slice(1)))
  const bit = bits[entry.statusListIndex >> 3] & (0x80 >> (entry.statusListIndex & 7))
  if (bit !== 0) fail(`under ${entry.statusPurpose}`)
}
console.log('valid:', JSON.stringify(credential.credentialSubject))
