// Verifies a credential without asking the service, by what was fetched before:
//   node examples/verify-credential.mjs credential.jwt did.json revocation.jwt suspension.jwt
// did.json is the issuer's /.well-known/did.json; the lists are those its credentialStatus names.
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'

const usage = 'Usage: node examples/verify-credential.mjs CREDENTIAL.jwt DID.json LIST.jwt…'
if (process.argv.length < 4) {
  process.exit(console.error(usage) ?? 2)
}
const fail = (problem) => process.exit(console.error(`invalid: ${problem}`) ?? 1)
// What is not even a token, a document or a list.
process.on('uncaughtException', ({ message }) => fail(JSON.stringify(message)))

const [token, did, ...more] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8').trim())
const { id: issuer, verificationMethod: keys } = JSON.parse(did)
const bytes = (text) => Buffer.from(text, 'base64url')

const [credential, ...lists] = [token, ...more].map((jwt) => {
  const [head, body, signature] = jwt.split('.')
  const { alg, typ, kid } = JSON.parse(bytes(head))
  const key = keys.find(({ id }) => id === kid)?.publicKeyJwk ?? fail('a key of somebody else')
  const text = Buffer.from(`${head}.${body}`)
  if (!verify(null, text, { key, format: 'jwk' }, bytes(signature))) {
    fail('a wrong signature')
  }
  const { nbf, exp = Infinity, ...vc } = JSON.parse(bytes(body))
  if (alg !== 'EdDSA' || typ !== 'vc+jwt' || vc.vc || vc.vp) {
    fail('another kind of token')
  }
  // A minute is granted to clocks that differ; to an end none is.
  if (nbf * 1000 > Date.now() + 60_000 || exp * 1000 <= Date.now()) {
    fail('not in force')
  }
  return vc.issuer === issuer ? vc : fail('another issuer')
})
for (const entry of credential.credentialStatus ?? []) {
  const list = lists.find(({ id }) => id === entry.statusListCredential) ?? fail('a missing list')
  const bits = gunzipSync(bytes(list.credentialSubject.encodedList.slice(1)))
  const byte = bits[entry.statusListIndex >> 3] ?? fail('an index that the list does not have')
  const bit = byte & (0x80 >> (entry.statusListIndex & 7))
  if (bit !== 0) {
    fail(`under ${entry.statusPurpose}`)
  }
}
const who = credential.assertedBy ?? issuer
console.log(`valid, as ${who} asserts:`, JSON.stringify(credential.credentialSubject))
