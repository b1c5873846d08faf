import { expect, test } from 'vitest'
import { send } from '../support/http.ts'
import { newAgent, newPlatform, OPERATOR_KEY, PASSWORD, startService } from '../support/service.ts'

const at = await startService()

/** More than any disk has free. */
const PETABYTE_MIB = '1000000000'

/** The result of a tool: the protocol sends it as one event. */
async function callTool(url: string, key: string, name: string, given: object) {
  const params = { name, arguments: given }
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  const [, json = ''] = /^data: (.*)$/m.exec(await response.text()) ?? []
  return JSON.parse(json).result
}

test('on a nearly full disk writes are refused in time, and reads continue', async () => {
  const { agent, owner } = await newAgent(at)
  const { platform } = await newPlatform(at)
  const node = await at.node({ STANDING_DISK_FREE_MIN: PETABYTE_MIB })
  const report = await send(`${node.url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
  })
  expect([report.status, report.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(report.body.error.details.reason).toBe('disk_full')
  expect(report.body.error.message).toContain('nothing was written')
  expect(report.headers.get('retry-after')).toBe('30')

  const reads = [
    await send(`${node.url}/v1/agents/${agent.id}/score`),
    await send(`${node.url}/v1/scores/batch`, { json: { agentIds: [agent.id] } }),
    await send(`${node.url}/v1/agents`, { key: owner.token }),
  ]
  expect(reads.map(({ status }) => status)).toEqual([200, 200, 200])

  // A gateway asks for decisions by POST, and gets them without a write.
  const question = { agentId: agent.id }
  const evaluation = {
    subject: { type: 'agent', id: agent.id },
    action: { name: 'pay' },
    resource: { type: 'order', id: '1' },
  }
  const decisions = [
    await send(`${node.url}/v1/decisions`, { key: platform.apiKey, json: question }),
    await send(`${node.url}/access/v1/evaluation`, { key: platform.apiKey, json: evaluation }),
  ]
  expect(decisions.map(({ status }) => status)).toEqual([200, 200])
  const decided = await callTool(node.url, platform.apiKey, 'decide', { agent: agent.id })
  expect(decided.structuredContent.decision).toBe(decisions[0]?.body.decision)

  const writes = [
    await send(`${node.url}/v1/operator/imports?name=past`, {
      key: OPERATOR_KEY,
      json: {},
      headers: { 'content-type': 'application/x-ndjson' },
    }),
    await send(`${node.url}/v1/agents/${agent.id}/identifiers/${agent.id}/verify`, {
      key: owner.token,
      json: {},
    }),
    await send(`${node.url}/v1/auth/register`, {
      json: { email: 'late@example.com', password: PASSWORD },
    }),
    await send(`${node.url}/setup`, { json: {} }),
  ]
  expect(writes.map(({ status, body }) => [status, body.error.details.reason])).toEqual(
    writes.map(() => [503, 'disk_full']),
  )
  const given = { agent: agent.id, type: 'task.completed' }
  const tool = await callTool(node.url, platform.apiKey, 'report_event', given)
  expect(tool.isError).toBe(true)
  expect(JSON.stringify(tool.content)).toContain('nothing was written')
  const login = await send(`${node.url}/v1/auth/login`, {
    json: { email: owner.email, password: PASSWORD },
  })
  expect(login.status).toBe(200)

  const ready = await send(`${node.url}/readyz`)
  expect([ready.status, ready.body]).toEqual([
    200,
    { status: 'degraded', reason: 'the disk is nearly full: writes are refused' },
  ])
  const metrics = await (await fetch(`${node.url}/metrics`)).text()
  expect(metrics).toMatch(/^standing_writes_refused 1$/m)
  expect(metrics).toMatch(/^standing_disk_free_bytes \d+$/m)

  const elsewhere = await send(`${at.url}/v1/agents/${agent.id}/events`, {
    key: platform.apiKey,
    json: { type: 'task.completed' },
  })
  expect(elsewhere.status).toBe(201)
})
