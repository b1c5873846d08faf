// The main paths of the SDK, against a service: node main-paths.mjs URL OPERATOR_KEY. Runs under any runtime that
// has node:assert; npm run test:runtimes runs it under each of them. The last line names the agent.
import assert from 'node:assert/strict'
// No global in Node 18.
import { webcrypto as crypto } from 'node:crypto'
import { EventBuffer, Standing, StandingError, verifyWebhookSignature } from '@standing/sdk'

const [baseUrl, operatorKey] = process.argv.slice(2)
const anyone = new Standing({ baseUrl })

// An owner, an agent, and a platform that signs what it reports.
const email = `${crypto.randomUUID()}@example.com`
const { token } = await anyone.auth.register({ email, password: 'correct horse battery staple' })
const owner = anyone.with({ token })
const agent = await owner.agents.register({ displayName: 'traveller', metadata: { team: 'a' } })
assert.equal((await owner.agents.get(agent.id)).metadata?.team, 'a')
const { privateKey } = await crypto.subtle.generateKey({ name: 'Ed25519' }, true, [
  'sign',
  'verify',
])
const signingKey = await crypto.subtle.exportKey('jwk', privateKey)
const operator = anyone.with({ operatorKey })
const { apiKey } = await operator.operator.createPlatform({
  name: 'Market',
  publicKey: signingKey.x,
})
const platform = anyone.with({ apiKey, signingKey })

// Reports: a batch with one refused event, a signed one, and one that is repeated under its key.
const report = await platform.events.report(agent.id, [
  { type: 'task.completed', data: { duration: 1200 } },
  { type: 'no.such.type' },
])
assert.deepEqual([report.accepted, report.rejected, report.errors?.[0]?.index], [1, 1, 1])
const options = { idempotencyKey: 'once' }
const event = { type: 'payment.completed', data: { amount: 5 } }
const first = await platform.events.submit(agent.id, event, options)
assert.equal(first.attestationVerified, true)
assert.equal((await platform.events.submit(agent.id, event, options)).id, first.id)

// Reads: one score, a Map of many, a list page by page, an explanation.
const { score } = await anyone.score.get(agent.id)
assert.equal((await anyone.score.getBatch([agent.id])).get(agent.id)?.score, score)
const types = []
for await (const { type } of owner.events.list(agent.id, { limit: 1 })) {
  types.push(type)
}
assert.deepEqual(types, ['payment.completed', 'task.completed'])
assert.equal((await anyone.score.explain(agent.id)).score, score)

// A credential, which anyone verifies by its id and by its text.
const { id, jwt } = await owner.credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} })
assert.equal((await anyone.credentials.verify(id)).valid, true)
assert.equal((await anyone.credentials.verify(jwt)).valid, true)

// A signed webhook, and one that somebody else has signed.
const body = '{"type":"score.changed","data":{}}'
const at = String(Math.floor(Date.now() / 1000))
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': at }
const secret = btoa('0123456789abcdef0123456789abcdef')
const good = { ...headers, 'webhook-signature': `v1,${await mac(`evt_1.${at}.${body}`, secret)}` }
const notification = await verifyWebhookSignature(body, good, `whsec_${secret}`)
assert.equal(notification.type, 'score.changed')
await assert.rejects(verifyWebhookSignature(`${body} `, good, `whsec_${secret}`), StandingError)

// A service that is away at first: the call is repeated, and the hook says why it waits.
const reasons = []
let isAway = true
const patient = anyone.with({
  onWait: ({ reason }) => reasons.push(reason),
  wait: async () => {
    isAway = false
  },
  fetch: (...request) => (isAway ? Promise.reject(new Error('away')) : fetch(...request)),
})
assert.equal((await patient.score.get(agent.id)).agentId, agent.id)
assert.deepEqual(reasons, ['unavailable'])

// A call that takes too long, and one that its caller gives up.
const slow = anyone.with({ timeoutMs: 1, retriesMax: 0, fetch: never })
await assert.rejects(slow.score.get(agent.id), { code: 'TIMEOUT' })
const given = AbortSignal.abort(new Error('enough'))
await assert.rejects(anyone.score.get(agent.id, { signal: given }), /enough/)

// Three events that wait in a buffer when the program has nothing left to do: they are sent first.
const buffer = new EventBuffer(platform, { flushAfterMs: 60_000, onRejected: () => assert.fail() })
for (const externalId of ['1', '2', '3']) {
  await buffer.add(agent.id, { type: 'task.completed', externalId })
}
console.log(agent.id)

/** A `fetch` without an answer. */
function never(_url, { signal }) {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

async function mac(text, key) {
  const bytes = Uint8Array.from(atob(key), (character) => character.charCodeAt(0))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(signed)))
}
