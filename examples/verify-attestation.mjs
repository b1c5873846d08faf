// Checks the standing that an A2A agent card carries, without asking the service:
//   node examples/verify-attestation.mjs CARD.json DID.json [LEAST_SCORE]
// CARD.json is the agent card; DID.json the /.well-known/did.json of a service that you trust.
import { verify } from 'node:crypto'
import { readFileSync } from 'node:fs'

const EXTENSION = 'urn:standing:a2a:attestation:1'
const [cardPath, didPath, leastScore = '500'] = process.argv.slice(2)
if (!didPath) {
  console.error('Usage: node examples/verify-attestation.mjs CARD.json DID.json [LEAST_SCORE]')
  process.exit(2)
}
const fail = (problem) => process.exit(console.error(`not trusted: ${problem}`) ?? 1)
if (!/^\d+$/.test(leastScore)) {
  process.exit(console.error('LEAST_SCORE is a number from 0 to 1000') ?? 2)
}
// What is not even a card, a document or a token.
process.on('uncaughtException', ({ message }) => fail(JSON.stringify(message)))
const json = (path) => JSON.parse(readFileSync(path, 'utf8'))
const bytes = (text) => Buffer.from(text, 'base64url')

const card = json(cardPath)
const { id: issuer, verificationMethod: keys } = json(didPath)
const extension = card.capabilities?.extensions?.find(({ uri }) => uri === EXTENSION)
const [head, body, signature] = (
  extension ?? fail('the card carries no attestation')
).params.attestation.split('.')
const { alg, typ, kid } = JSON.parse(bytes(head))
const key = keys.find(({ id }) => id === kid)?.publicKeyJwk ?? fail('a key of another service')
if (alg !== 'EdDSA' || typ !== 'vc+jwt') {
  fail('another kind of token')
}
if (!verify(null, Buffer.from(`${head}.${body}`), { key, format: 'jwk' }, bytes(signature))) {
  fail('a wrong signature')
}
const claims = JSON.parse(bytes(body))
if (claims.issuer !== issuer || !claims.type.includes('StandingAttestation')) {
  fail('another kind of credential')
}
const isInForce = claims.nbf * 1000 <= Date.now() + 60_000 && claims.exp * 1000 > Date.now()
if (!isInForce) {
  fail(`not in force: fetch a fresh one from ${extension.params.refresh}`)
}

// A card may carry the attestation of another agent: it must be about a name of this one.
const urls = [card.url, ...(card.supportedInterfaces ?? []).map(({ url }) => url)].filter(Boolean)
const hosts = urls.map((url) => new URL(url).host)
const { identifiers, status, score, classification } = claims.credentialSubject
const hostOf = (name) =>
  name.startsWith('did:web:')
    ? decodeURIComponent(name.split(':')[2])
    : (/^https?:\/\/([^/]+)/.exec(name)?.[1] ?? name)
if (
  hosts.length === 0 ||
  !hosts.every((host) => identifiers.some((name) => hostOf(name) === host))
) {
  fail(`the agent has not proven ${hosts.join(' and ') || 'any address of this card'}`)
}
if (status !== 'active' || score < Number(leastScore)) {
  fail(`the agent is ${status}, its score is ${score}`)
}
console.log(
  `trusted: ${card.name} has a score of ${score} (${classification}), as ${issuer} asserts`,
)
