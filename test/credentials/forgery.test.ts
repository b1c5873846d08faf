import { createHmac, createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto'
import { calculateJwkThumbprint, type JWK } from 'jose'
import { expect, test } from 'vitest'
import { createPool } from '../../src/store/postgres/pool.ts'
import { encode, partsOf, signed, signingKeyOf } from '../support/forge.ts'
import { send } from '../support/http.ts'
import { newAgent, startService } from '../support/service.ts'

const SECRET = randomBytes(32).toString('base64')
const at = await startService({ STANDING_SECRET_KEY: SECRET, STANDING_RATE_LIMITS: 'off' })
const { agent, owner } = await newAgent(at)
const expiresAt = '2099-01-01T00:00:00.000Z'
const issue = (type: string) =>
  owner.client.credentials.issue({ agentId: agent.id, type, claims: { grade: 'A' }, expiresAt })
const credential = await issue('SecurityAudit')
const other = await issue('OtherAudit')

/** The key of the service itself, and a stranger's. */
const ours = await signingKeyOf(at.database.url, SECRET)
const theirs = generateKeyPairSync('ed25519')
/** Ours too, but for receipts alone. */
const receipts = await signingKeyOf(at.database.url, SECRET, 'receipts')
const receiptKid = await calculateJwkThumbprint(
  createPublicKey(receipts).export({ format: 'jwk' }) as JWK,
)

const { header, payload } = partsOf(credential.jwt)
const [head = '', body = '', signature = ''] = credential.jwt.split('.')
const thumbprint = String(header.kid).split('#')[1] ?? ''
const did = String(payload.issuer)
const subject = payload.credentialSubject as Record<string, unknown>
const publicKey = createPublicKey(ours)
const theirJwk = theirs.publicKey.export({ format: 'jwk' })

function without(name: string, from: Record<string, unknown>) {
  const { [name]: _gone, ...rest } = from
  return rest
}

/** Ed25519's S is a number below the order of its group; the same with the order added is another text. */
function malleable(): string {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n
  const bytes = Buffer.from(signature, 'base64url')
  let s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order
  for (let i = 32; i < 64; i++, s >>= 8n) {
    bytes[i] = Number(s & 255n)
  }
  return `${head}.${body}.${bytes.toString('base64url')}`
}

/** As if a verifier took the public key for a shared secret. */
function hmac(secret: string | Buffer): string {
  const text = `${encode({ ...header, alg: 'HS256' })}.${body}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

/** Headers that we never write, each signed by our own key: it is the header that gives it away. */
const HEADERS: Record<string, unknown> = {
  'alg none': { ...header, alg: 'none' },
  'alg nOnE': { ...header, alg: 'nOnE' },
  'alg HS256': { ...header, alg: 'HS256' },
  'alg ES256': { ...header, alg: 'ES256' },
  'alg Ed25519': { ...header, alg: 'Ed25519' },
  'no alg': without('alg', header),
  'no typ': without('typ', header),
  'typ JWT': { ...header, typ: 'JWT' },
  'typ at+jwt': { ...header, typ: 'at+jwt' },
  'typ vp+jwt': { ...header, typ: 'vp+jwt' },
  'typ vc+sd-jwt': { ...header, typ: 'vc+sd-jwt' },
  'typ VC+JWT': { ...header, typ: 'VC+JWT' },
  'no cty': without('cty', header),
  'cty vp': { ...header, cty: 'vp' },
  'no kid': without('kid', header),
  'kid without its DID': { ...header, kid: thumbprint },
  'kid of another DID': { ...header, kid: `did:web:evil.example#${thumbprint}` },
  'kid of another method': { ...header, kid: `did:key:z6Mk#${thumbprint}` },
  'kid of no key': { ...header, kid: `${did}#${'A'.repeat(43)}` },
  'kid with more behind it': { ...header, kid: `${did}#${thumbprint}x` },
  'kid that is a path': { ...header, kid: '../../etc/passwd' },
  'kid that is a number': { ...header, kid: 0 },
  'kid that is a list': { ...header, kid: [header.kid] },
  'a jwk': { ...header, jwk: theirJwk },
  'a jku': { ...header, jku: 'https://evil.example/jwks.json' },
  'an x5u': { ...header, x5u: 'https://evil.example/chain.pem' },
  'an x5c': { ...header, x5c: ['MIIB'] },
  crit: { ...header, crit: ['exp'], exp: 1 },
  'b64 false': { ...header, b64: false, crit: ['b64'] },
  zip: { ...header, zip: 'DEF' },
  'one name twice': `{"alg":"none",${JSON.stringify(header).slice(1)}`,
  'another order': Object.fromEntries(Object.entries(header).reverse()),
  spaces: JSON.stringify(header, null, 1),
  'a list': [header],
  null: null,
  'no JSON': 'header',
}

/** Payloads that we never wrote, each signed by our own key: the record of it says otherwise. */
const PAYLOADS: Record<string, unknown> = {
  'no status': without('credentialStatus', payload),
  'half a status': { ...payload, credentialStatus: [(payload.credentialStatus as unknown[])[0]] },
  'the status of another': {
    ...payload,
    credentialStatus: partsOf(other.jwt).payload.credentialStatus,
  },
  'another subject': { ...payload, credentialSubject: { ...subject, id: 'urn:uuid:1' } },
  'another grade': { ...payload, credentialSubject: { ...subject, grade: 'A+' } },
  'one claim more': { ...payload, credentialSubject: { ...subject, bonus: true } },
  'one claim less': { ...payload, credentialSubject: without('grade', subject) },
  'two subjects': { ...payload, credentialSubject: [subject, subject] },
  'another sub': { ...payload, sub: 'urn:uuid:1' },
  'another type': { ...payload, type: ['VerifiableCredential', 'StandingScore'] },
  'no owner': without('assertedBy', payload),
  'another issuer': { ...payload, issuer: 'did:web:evil.example' },
  'another iss': { ...payload, iss: 'did:web:evil.example' },
  'another jti': { ...payload, jti: 'urn:uuid:1' },
  'the id of another': { ...payload, id: partsOf(other.jwt).payload.id },
  'an id elsewhere': { ...payload, id: `https://evil.example/v1/credentials/${credential.id}` },
  'an id of nothing': { ...payload, id: `${at.url}/v1/credentials/${agent.id}` },
  'an id that is none': { ...payload, id: credential.id },
  'no id': without('id', payload),
  'another beginning': { ...payload, validFrom: '2098-01-01T00:00:00.000Z' },
  'another nbf': { ...payload, nbf: 4_000_000_000 },
  'a later end': { ...payload, validUntil: '2999-01-01T00:00:00.000Z' },
  'a later exp': { ...payload, exp: 99_999_999_999 },
  'no end': without('validUntil', without('exp', payload)),
  'no iat': without('iat', payload),
  'iat as text': { ...payload, iat: String(payload.iat) },
  'another context': { ...payload, '@context': ['https://evil.example'] },
  'a vc beside it': { ...payload, vc: {} },
  'all of it inside vc': { iss: payload.iss, vc: payload },
  'a list': [payload],
  null: null,
  'no JSON': 'payload',
  nothing: '',
}

const serviceElsewhere = {
  ...payload,
  id: `https://evil.example/v1/credentials/${credential.id}`,
  issuer: 'did:web:evil.example',
  iss: 'did:web:evil.example',
}

/** The last letter holds two bits of the signature and four that mean nothing. */
const nextLetter = String.fromCharCode(signature.charCodeAt(signature.length - 1) + 1)

const TEXTS: Record<string, string> = {
  'no signature': `${head}.${body}.`,
  'alg none and no signature': `${encode({ ...header, alg: 'none' })}.${body}.`,
  'an HMAC by the raw public key': hmac(
    Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url'),
  ),
  'an HMAC by the PEM': hmac(String(publicKey.export({ format: 'pem', type: 'spki' }))),
  'an HMAC by the JWK': hmac(JSON.stringify(publicKey.export({ format: 'jwk' }))),
  'a stranger’s signature': signed(header, payload, theirs.privateKey),
  'a stranger’s signature and jwk': signed(
    { ...header, jwk: theirJwk },
    payload,
    theirs.privateKey,
  ),
  'the key of receipts': signed({ ...header, kid: `${did}#${receiptKid}` }, payload, receipts),
  'another service': signed(
    { ...header, kid: `did:web:evil.example#${thumbprint}` },
    serviceElsewhere,
    theirs.privateKey,
  ),
  'another service by our key': signed(header, serviceElsewhere, ours),
  'the signature of another': `${head}.${body}.${other.jwt.split('.')[2]}`,
  'the payload of another': `${head}.${other.jwt.split('.')[1]}.${signature}`,
  'a signature cut short': `${head}.${body}.${signature.slice(0, 40)}`,
  'a signature with its order added': malleable(),
  'one bit flipped': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
  'all zeros': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
  'padding behind the header': `${head}=.${body}.${signature}`,
  'padding behind the signature': `${head}.${body}.${signature}==`,
  'a space before': ` ${credential.jwt}`,
  'a space behind': `${credential.jwt} `,
  'a line break behind': `${credential.jwt}\n`,
  'a space in the payload': `${head}. ${body}.${signature}`,
  'a space in the signature': `${head}.${body}.${signature.slice(0, 9)} ${signature.slice(9)}`,
  'a letter that is none': `${head}.${body}.?${signature}`,
  'stray bits at the end': `${head}.${body}.${signature.slice(0, -1)}${nextLetter}`,
  'four parts': `${credential.jwt}.${signature}`,
  'two parts': `${head}.${body}`,
  'only dots': '..',
  nothing: '',
  'Bearer before': `Bearer ${credential.jwt}`,
  'JSON instead': JSON.stringify({ protected: head, payload: body, signature }),
  'an owner’s token': owner.token,
  'a status list': await (await fetch(`${at.url}/v1/status-lists/1/revocation`)).text(),
}

const FORGERIES: readonly (readonly [string, string])[] = [
  ...Object.entries(HEADERS).map(
    ([name, one]) => [`header: ${name}`, signed(one, payload, ours)] as const,
  ),
  ...Object.entries(PAYLOADS).map(
    ([name, one]) => [`payload: ${name}`, signed(header, one, ours)] as const,
  ),
  ...Object.entries(TEXTS).map(([name, one]) => [`text: ${name}`, one] as const),
]

const verify = async (jwt: string) =>
  (await send(`${at.url}/v1/credentials/verify`, { json: { jwt } })).body

test('the genuine credential is accepted, and so is a copy signed again with the service’s key', async () => {
  expect(FORGERIES.length).toBeGreaterThanOrEqual(100)
  expect(await verify(credential.jwt)).toMatchObject({ valid: true })
  expect(signed(header, payload, ours)).toBe(credential.jwt)
})

test.each(FORGERIES)('%s is refused', async (_name, jwt) => {
  expect(await verify(jwt)).toMatchObject({
    valid: false,
    status: 'invalid',
    claims: null,
    credential: null,
  })
})

test('a credential dated in the future is refused until then', async () => {
  const pool = createPool({ url: at.database.url }, { max: 1 })
  const future = Date.parse('2098-01-01T00:00:00.000Z')
  const dated = { ...payload, validFrom: new Date(future).toISOString(), nbf: future / 1000 }
  const jwt = signed(header, dated, ours)
  await pool.query('update credentials set issued_at = $2, jwt = $3 where id = $1', [
    credential.id,
    future,
    jwt,
  ])
  await pool.end()
  expect(await verify(jwt)).toMatchObject({
    valid: false,
    status: 'invalid',
    checks: { signature: true, issuer: true, subject: true, notBefore: false },
  })
})

test('a record that was changed in the database no longer matches its token', async () => {
  const pool = createPool({ url: at.database.url }, { max: 1 })
  await pool.query(`update credentials set claims = '{"grade":"A+"}' where id = $1`, [other.id])
  await pool.end()
  for (const json of [{ credentialId: other.id }, { jwt: other.jwt }]) {
    const { body } = await send(`${at.url}/v1/credentials/verify`, { json })
    expect(body).toMatchObject({ valid: false, status: 'invalid', checks: { subject: false } })
  }
})
