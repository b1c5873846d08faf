import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { partsOf } from '../support/forge.ts'
import { refusal, send } from '../support/http.ts'
import { raiseToPoor } from '../support/poor-agent.ts'
import { newAgent, newPlatform, OPERATOR_KEY, startService } from '../support/service.ts'

const lines: string[] = []
const at = await startService(
  { STANDING_RATE_LIMITS: 'off', STANDING_EVENTS_PER_AGENT_HOUR: '1000000', LOG_LEVEL: 'warn' },
  {},
  { write: (line: string) => void lines.push(line) },
)
const second = await at.node()
const { operator } = at.operator
const { agent, owner } = await newAgent(at)
const elsewhere = owner.client.with({ baseUrl: second.url, retriesMax: 0 })
const issuing = `${second.url}/v1/operator/issuing`
const audit = { agentId: agent.id, type: 'Audit', claims: { grade: 'A' } }
const HALTED = { status: 503, code: 'SERVICE_UNAVAILABLE', details: { reason: 'issuing_halted' } }

const logged = () =>
  lines
    .map((line) => JSON.parse(line) as { readonly msg: string })
    .filter(({ msg }) => msg.includes('issuing'))

/** Halts at the first node, does something, and resumes at the second one. */
async function whileHalted<T>(work: () => Promise<T>): Promise<T> {
  await operator.haltIssuing('A key may have leaked.')
  try {
    return await work()
  } finally {
    await at.operator.with({ baseUrl: second.url }).operator.resumeIssuing('It is revoked.')
  }
}

const revoked = async (url: string) =>
  (await fetch(`${url}/v1/status-lists/1/revocation`)).headers.get('etag')
const attestationAt = (url: string) => send(`${url}/v1/agents/${agent.id}/attestation`)

test('after a halt at one node, the next request to issue is refused on every node (A16)', async () => {
  const { client: platform } = await newPlatform(at)
  await raiseToPoor(agent.id, owner.client, platform)
  const score = { atLeast: 'poor' } as const
  const refused = await whileHalted(() =>
    Promise.all([
      refusal(elsewhere.credentials.issue(audit)),
      refusal(owner.client.with({ retriesMax: 0 }).credentials.issue(audit)),
      refusal(elsewhere.credentials.issueScore(agent.id, score)),
      refusal(at.operator.with({ retriesMax: 0 }).operator.reissueCredentials()),
    ]),
  )
  expect(refused).toMatchObject([HALTED, HALTED, HALTED, HALTED])
  expect(await elsewhere.credentials.issue(audit)).toMatchObject({ status: 'active' })
  expect(await elsewhere.credentials.issueScore(agent.id, score)).toMatchObject({
    status: 'active',
  })
})

test('a refused request leaves nothing behind, and works with its Idempotency-Key after the halt', async () => {
  const count = async () => (await owner.client.credentials.list({ agentId: agent.id })).data.length
  const eventCount = async () => (await at.anyone.score.get(agent.id)).eventCount
  const before = [await count(), await eventCount()]
  const issue = () =>
    send(`${second.url}/v1/credentials`, {
      key: owner.token,
      headers: { 'idempotency-key': 'audit-1' },
      json: audit,
    })
  await whileHalted(async () => {
    const { status, headers } = await issue()
    expect([status, headers.get('retry-after')]).toEqual([503, '300'])
    expect([await count(), await eventCount()]).toEqual(before)
  })
  expect((await issue()).status).toBe(201)
  expect((await issue()).status).toBe(201)
  expect(await count()).toBe((before[0] ?? 0) + 1)
})

test('a halt stops attestations; verification, revocation, status lists, receipts and reports go on', async () => {
  const [kept, ended] = [
    await owner.client.credentials.issue(audit),
    await owner.client.credentials.issue(audit),
  ]
  const before = await revoked(second.url)
  await whileHalted(async () => {
    expect((await attestationAt(second.url)).status).toBe(503)
    expect(await elsewhere.credentials.verify(kept.jwt)).toMatchObject({ valid: true })
    expect(await elsewhere.credentials.get(kept.id)).toMatchObject({ jwt: kept.jwt })
    await elsewhere.credentials.revoke(ended.id)
    expect(await elsewhere.credentials.verify(ended.jwt)).toMatchObject({ valid: false })
    expect(await revoked(second.url)).not.toBe(before)
    expect((await elsewhere.score.getReceipt(agent.id)).receipt).toBeTruthy()
    const reporter = at.anyone.with({ apiKey: agent.apiKey })
    expect(await reporter.events.submit(agent.id, { type: 'task.completed' })).toBeTruthy()
  })
  expect((await attestationAt(second.url)).status).toBe(200)
})

test('test credentials, which no verifier accepts as live, are issued during a halt', async () => {
  const inTest = owner.client.with({ mode: 'test' })
  const own = await inTest.agents.register({ displayName: 'in test' })
  await whileHalted(async () => {
    expect((await inTest.credentials.issue({ ...audit, agentId: own.id })).jwt).toBeTruthy()
  })
})

test('a leaked key is revoked and replaced during a halt', async () => {
  const { jwt, id } = await owner.client.credentials.issue(audit)
  const kid = String(partsOf(jwt).header.kid).split('#')[1] ?? ''
  await whileHalted(async () => {
    await operator.revokeSigningKey(kid, 'It leaked.')
    expect(await elsewhere.credentials.verify(jwt)).toMatchObject({ valid: false })
  })
  await operator.reissueCredentials()
  const { jwt: renewed } = await elsewhere.credentials.get(id)
  expect(await elsewhere.credentials.verify(renewed)).toMatchObject({ valid: true })
})

test('a repeated halt changes nothing: the first one stays, and is in the audit log and the log once', async () => {
  const entries = async () =>
    (await operator.audit({ limit: 100 })).data.filter(({ action }) =>
      action.startsWith('issuing.'),
    )
  const before = (await entries()).length
  lines.length = 0
  const first = await operator.haltIssuing('A key may have leaked.')
  expect(first).toMatchObject({ halted: { reason: 'A key may have leaked.' } })
  expect(await operator.haltIssuing('Again.')).toEqual(first)
  expect(await at.operator.with({ baseUrl: second.url }).operator.issuing()).toEqual(first)
  expect(await operator.resumeIssuing('It is revoked.')).toEqual({ halted: null })
  expect(await operator.resumeIssuing('Again.')).toEqual({ halted: null })
  expect(logged()).toMatchObject([
    { msg: 'the issuing of credentials was halted', halt: { reason: 'A key may have leaked.' } },
    { msg: 'the issuing of credentials was resumed', halt: null },
  ])
  const added = (await entries()).slice(0, -before || undefined)
  expect(added).toMatchObject([
    { action: 'issuing.resumed', details: { reason: 'It is revoked.' } },
    {
      action: 'issuing.halted',
      actor: { kind: 'operator', id: first.halted?.by },
      details: { reason: 'A key may have leaked.' },
    },
  ])
})

test('simultaneous halts on two nodes are one', async () => {
  const other = at.operator.with({ baseUrl: second.url }).operator
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, i) => (i % 2 ? operator : other).haltIssuing(`Halt ${i}.`)),
  )
  expect(new Set(answers.map(({ halted }) => halted?.reason)).size).toBe(1)
  await operator.resumeIssuing('A drill.')
})

test('a retried request with the same Idempotency-Key gets the first response', async () => {
  const halt = () =>
    send(issuing, {
      method: 'PATCH',
      key: OPERATOR_KEY,
      headers: { 'idempotency-key': 'halt-1' },
      json: { halted: true, reason: 'A drill.' },
    })
  const { body } = await halt()
  await operator.resumeIssuing('The drill is over.')
  // The lost response is sent again. It does not halt a second time.
  expect((await halt()).body).toEqual(body)
  expect(await operator.issuing()).toEqual({ halted: null })
})

test('the metrics of every node show since when it is halted', async () => {
  const since = async () => {
    const text = await (await fetch(`${second.url}/metrics`)).text()
    return Number(/^standing_issuing_halted_timestamp_seconds (\S+)$/m.exec(text)?.[1])
  }
  await whileHalted(async () => {
    const { halted } = await operator.issuing()
    await eventually(async () => expect(await since()).toBe(Date.parse(halted?.at ?? '') / 1000))
  })
  await eventually(async () => expect(await since()).toBe(0))
})

test('only the operator halts, with a reason', async () => {
  const json = { halted: true, reason: 'x' }
  for (const key of [owner.token, agent.apiKey]) {
    expect((await send(issuing, { method: 'PATCH', key, json })).status).toBe(403)
    expect((await send(issuing, { key })).status).toBe(403)
  }
  const wordless = { method: 'PATCH', key: OPERATOR_KEY, json: { halted: true } }
  expect((await send(issuing, wordless)).status).toBe(400)
  expect(await operator.issuing()).toEqual({ halted: null })
})
