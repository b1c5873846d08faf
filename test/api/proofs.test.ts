import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { describe, expect, test } from 'vitest'
import { verifyProof } from '../../src/scoring/verify-receipt.ts'
import { refusal, send } from '../support/http.ts'
import { newAgent, newOwner, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { operator } = at.operator

/** An agent with a history of all sorts, one event of it held. */
async function agentWithHistory() {
  const { client: platform } = await newPlatform(at)
  const { agent, owner, client } = await newAgent(at)
  await platform.events.report(agent.id, [
    { type: 'task.completed', data: { duration: 0.1 + 0.2 } },
    { type: 'payment.completed', data: { amount: 1e-7, currency: 'USD' } },
    { type: 'task.failed', data: { errorCode: 'é\u2028"\\ 😀' } },
  ])
  const held = await platform.events.submit(agent.id, {
    type: 'task.completed',
    data: { success: false },
  })
  await client.events.submit(agent.id, { type: 'uptime.report', data: { uptimePercentage: 99 } })
  await platform.events.submit(agent.id, { type: 'payment.late', data: { daysLate: 3 } })
  return { agent, owner, client, platform, held }
}

async function proofOf(agentId: string) {
  const { receipt, payload } = await at.anyone.score.getReceipt(agentId)
  const text = await at.operator.events.export(agentId)
  return { receipt, payload, lines: text.trimEnd().split('\n') }
}

const keys = async () => ({ keys: [...(await at.anyone.score.receiptKeys()).keys] })
const published = async () => (await send(`${at.url}/.well-known/jwks.json`)).body
const without = (lines: readonly string[], index: number) => lines.filter((_, i) => i !== index)

describe('a receipt', () => {
  test('is recomputed from the export to the last bit, and its signature is valid', async () => {
    const { agent } = await agentWithHistory()
    const { receipt, payload, lines } = await proofOf(agent.id)
    const { score } = await at.anyone.score.get(agent.id)
    expect(payload).toMatchObject({ sub: agent.id, events: 5, score: { score } })
    expect(lines).toHaveLength(5)
    const verdict = await verifyProof({ receipt, lines, keys: await keys() })
    expect(verdict).toMatchObject({ problem: null, later: 0, receipt: { sub: agent.id } })
  })

  test('of an agent without events needs no events to verify', async () => {
    const { agent } = await newAgent(at)
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    const verdict = await verifyProof({ receipt, lines: [], keys: await keys() })
    expect(verdict).toMatchObject({ problem: null, receipt: { score: { score: 100 } } })
  })

  test('still verifies against a later export, after more events and a release', async () => {
    const { agent, platform, held } = await agentWithHistory()
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    await platform.events.submit(agent.id, { type: 'task.timeout' })
    await operator.review(held.id, { decision: 'released', reason: 'It is fine.' })
    const { lines, receipt: after } = await proofOf(agent.id)
    expect(lines).toHaveLength(7)
    expect(await verifyProof({ receipt, lines, keys: null })).toMatchObject({
      problem: null,
      later: 2,
    })
    expect(await verifyProof({ receipt: after, lines, keys: null })).toMatchObject({
      problem: null,
      later: 0,
    })
  })

  test('verifies against the latest export after releases in any order', async () => {
    const { agent, platform } = await agentWithHistory()
    const wrong = { type: 'task.completed', data: { success: false } } as const
    const { data } = await platform.events.report(agent.id, [wrong, wrong, wrong, wrong])
    const held = data.map((event) => event?.id ?? '')
    const release = (i: number) =>
      operator.review(held[i] ?? '', { decision: 'released', reason: 'It is fine.' })
    const receipts: string[] = []
    const sign = async () => {
      receipts.push((await at.anyone.score.getReceipt(agent.id)).receipt)
    }
    await sign()
    for (const i of [2, 0]) {
      await release(i)
      await sign()
    }
    await platform.events.submit(agent.id, { type: 'task.completed' })
    await sign()
    await operator.reviewAll({
      agentId: agent.id,
      decision: 'released',
      reason: 'All of them are.',
    })
    await sign()
    const { lines } = await proofOf(agent.id)
    expect(lines.filter((line) => line.includes('"chainIndex"'))).toHaveLength(5)
    for (const [i, receipt] of receipts.entries()) {
      const verdict = await verifyProof({ receipt, lines, keys: null })
      expect(verdict, `receipt ${i}`).toMatchObject({ problem: null })
    }
    // Where it stands in the chain is part of what is chained.
    const last = receipts.at(-1) ?? ''
    const index = lines.findIndex((line) => line.includes('"chainIndex":'))
    const { id, chainIndex } = JSON.parse(lines[index] ?? '') as Record<string, unknown>
    for (const place of [`${Number(chainIndex) + 1}`, '1', '"8"', '0.5', '1e9']) {
      const moved = lines.with(
        index,
        (lines[index] ?? '').replace(/"chainIndex":\d+/, `"chainIndex":${place}`),
      )
      const verdict = await verifyProof({ receipt: last, lines: moved, keys: null })
      expect(verdict.problem, place).not.toBeNull()
    }
    const gone = await verifyProof({ receipt: last, lines: without(lines, index), keys: null })
    expect(gone.problem).not.toBeNull()
    expect(gone.event?.id).not.toBe(id)
  })

  test.each([
    ['data that was changed', 2, '"errorCode"', '"errorcode"'],
    ['a reporter that was changed', 1, '"reporter":"', '"reporter":"x'],
    ['a time that was changed', 0, '"at":1', '"at":2'],
    ['a weight that was changed', 3, '"self":true', '"self":false'],
  ])('names the event with %s', async (_, index, from, to) => {
    const { agent } = await agentWithHistory()
    const { receipt, lines } = await proofOf(agent.id)
    expect(lines[index]).toContain(from)
    const changed = lines.map((line, i) => (i === index ? line.replace(from, to) : line))
    const { id } = JSON.parse(lines[index] ?? '') as { id: string }
    const verdict = await verifyProof({ receipt, lines: changed, keys: null })
    expect(verdict.event).toEqual({ id, line: index + 1 })
    expect(verdict.problem).toContain(id)
  })

  test('names the first event after a missing one, and detects a missing end', async () => {
    const { agent } = await agentWithHistory()
    const { receipt, lines } = await proofOf(agent.id)
    const { id } = JSON.parse(lines[2] ?? '') as { id: string }
    const gap = await verifyProof({ receipt, lines: without(lines, 1), keys: null })
    expect(gap.event).toEqual({ id, line: 2 })
    const cut = await verifyProof({ receipt, lines: without(lines, 4), keys: null })
    expect(cut.problem).toBe('the receipt counts 5 events, the export has 4')
  })

  test('does not match another agent’s events', async () => {
    const one = await proofOf((await agentWithHistory()).agent.id)
    const two = await proofOf((await agentWithHistory()).agent.id)
    const verdict = await verifyProof({ receipt: one.receipt, lines: two.lines, keys: null })
    expect(verdict.event).toMatchObject({ line: 1 })
  })

  test('that was changed, or signed by another key, does not verify', async () => {
    const { agent } = await agentWithHistory()
    const { receipt, lines } = await proofOf(agent.id)
    const [header, payload = '', signature] = receipt.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object
    const better = Buffer.from(JSON.stringify({ ...claims, score: { score: 1000 } }))
    const forged = [header, better.toString('base64url'), signature].join('.')
    const { problem } = await verifyProof({ receipt: forged, lines, keys: await keys() })
    expect(problem).toMatch(/does not verify/)
    const believed = await verifyProof({ receipt: forged, lines, keys: null })
    expect(believed.problem).toMatch(/the receipt says/)
  })

  test('can be requested by anyone; for an unknown agent it is NOT_FOUND', async () => {
    const missing = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'
    expect(await refusal(at.anyone.score.getReceipt(missing))).toMatchObject({ status: 404 })
    const { headers } = await send(`${at.url}/v1/receipts/keys`)
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

test('the export is available to the agent, its owner and the operator', async () => {
  const { agent, owner, client, platform } = await agentWithHistory()
  const stranger = await newOwner(at)
  const text = await owner.client.events.export(agent.id)
  expect(await client.events.export(agent.id)).toBe(text)
  expect(await at.operator.events.export(agent.id)).toBe(text)
  for (const other of [stranger.client, platform]) {
    expect(await refusal(other.events.export(agent.id))).toMatchObject({ status: 403 })
  }
  expect(await refusal(at.anyone.events.export(agent.id))).toMatchObject({ status: 401 })
})

describe('the keys of receipts', () => {
  test('are published beside those of credentials, for any JOSE library', async () => {
    const { agent } = await newAgent(at)
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    const set = createRemoteJWKSet(new URL('/.well-known/jwks.json', at.url))
    const { payload } = await jwtVerify(receipt, set, {
      typ: 'standing-receipt+jwt',
      issuer: at.url,
    })
    expect(payload.sub).toBe(agent.id)
    expect(await verifyProof({ receipt, lines: [], keys: await published() })).toMatchObject({
      problem: null,
    })
  })

  test('are rotated: a new key signs, and earlier receipts still verify', async () => {
    const { agent } = await newAgent(at)
    const before = await at.anyone.score.getReceipt(agent.id)
    const { kid, purpose } = await operator.rotateSigningKey('receipts')
    expect(purpose).toBe('receipts')
    const after = await at.anyone.score.getReceipt(agent.id)
    expect(decodeProtectedHeader(after.receipt).kid?.split('#')[1]).toBe(kid)
    expect(decodeProtectedHeader(before.receipt).kid).not.toContain(kid)
    for (const { receipt } of [before, after]) {
      for (const set of [await keys(), await published()]) {
        expect(await verifyProof({ receipt, lines: [], keys: set })).toMatchObject({
          problem: null,
        })
      }
    }
  })

  test('are revoked: receipts of the key no longer verify, and a new key signs', async () => {
    const { agent } = await newAgent(at)
    const before = await at.anyone.score.getReceipt(agent.id)
    const leaked = decodeProtectedHeader(before.receipt).kid?.split('#')[1] ?? ''
    await operator.revokeSigningKey(leaked, 'It leaked.')
    const after = await at.anyone.score.getReceipt(agent.id)
    for (const set of [await keys(), await published()]) {
      expect(
        (await verifyProof({ receipt: before.receipt, lines: [], keys: set })).problem,
      ).toMatch(/does not verify/)
      expect(await verifyProof({ receipt: after.receipt, lines: [], keys: set })).toMatchObject({
        problem: null,
      })
    }
  })

  test('are found by their thumbprint after the service has moved', async () => {
    const { agent } = await newAgent(at)
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    const moved = (await published()).keys.map((key: { kid: string }) => ({
      ...key,
      kid: `did:web:elsewhere.example#${key.kid.split('#')[1]}`,
    }))
    expect(await verifyProof({ receipt, lines: [], keys: { keys: moved } })).toMatchObject({
      problem: null,
    })
  })

  test('sign only receipts: a credential is not a receipt, whatever its key', async () => {
    const { agent, owner } = await newAgent(at)
    const { credentials } = owner.client
    const { jwt } = await credentials.issue({ agentId: agent.id, type: 'Audit', claims: {} })
    const { problem } = await verifyProof({ receipt: jwt, lines: [], keys: await published() })
    expect(problem).toMatch(/its type is vc\+jwt/)
    const { receipt } = await at.anyone.score.getReceipt(agent.id)
    expect(await at.anyone.credentials.verify(receipt)).toMatchObject({
      valid: false,
      status: 'invalid',
    })
  })
})

test('two nodes sign with keys that are both published', async () => {
  const { agent } = await newAgent(at)
  const node = await at.node()
  const receipts = await Promise.all(
    [at.url, node.url].map((url) => send(`${url}/v1/agents/${agent.id}/score/receipt`)),
  )
  for (const { body } of receipts) {
    expect(
      await verifyProof({ receipt: body.receipt, lines: [], keys: await keys() }),
    ).toMatchObject({ problem: null })
  }
})
