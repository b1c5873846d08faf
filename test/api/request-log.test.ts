import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { send } from '../support/http.ts'
import { newAgent, PASSWORD, startService } from '../support/service.ts'

type Line = Readonly<Record<string, unknown>>

const lines: string[] = []
const at = await startService(
  { STANDING_REQUEST_LOG: 'on', LOG_LEVEL: 'info' },
  {},
  { write: (line: string) => void lines.push(line) },
)

const logged = (): readonly Line[] =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'request')

/** The line of a request, by the id of its response. */
async function lineOf(requestId: string | null): Promise<Line> {
  let found: Line | undefined
  await eventually(async () => {
    found = logged().find((line) => line.requestId === requestId)
    expect(found).toBeDefined()
  })
  return found ?? {}
}

test('a request that a client reports is found in the log by its id', async () => {
  const { agent } = await newAgent(at)
  const { status, headers } = await send(`${at.url}/v1/agents/${agent.id}/score`, {
    key: agent.apiKey,
  })
  expect(status).toBe(200)
  const line = await lineOf(headers.get('x-request-id'))
  expect(line).toMatchObject({
    level: 30,
    method: 'GET',
    path: `/v1/agents/${agent.id}/score`,
    operation: 'getScore',
    status: 200,
    caller: `agent:${agent.id}`,
    address: '127.0.0.1',
  })
  expect(line.ms).toBeGreaterThan(0)
})

test('a refused request is logged with the code of its error', async () => {
  const { headers } = await send(`${at.url}/v1/nowhere`)
  expect(await lineOf(headers.get('x-request-id'))).toMatchObject({
    path: '',
    operation: 'none',
    status: 404,
    code: 'NOT_FOUND',
    caller: 'anonymous',
  })
})

test('forbidden requests and invalid input are logged with the caller', async () => {
  const { agent } = await newAgent(at)
  const forbidden = await send(`${at.url}/v1/operator/owners`, { key: agent.apiKey })
  expect(await lineOf(forbidden.headers.get('x-request-id'))).toMatchObject({
    operation: 'listOwners',
    status: 403,
    code: 'FORBIDDEN',
    caller: expect.stringContaining(agent.id),
  })
  const invalid = await send(`${at.url}/v1/agents/${agent.id}/events?limit=x`, {
    key: agent.apiKey,
  })
  expect(await lineOf(invalid.headers.get('x-request-id'))).toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    caller: expect.stringContaining(agent.id),
  })
})

test('no key, token, password or body is in the request log, wherever a client puts it', async () => {
  const { agent, owner } = await newAgent(at)
  const secrets = [agent.apiKey, owner.token, PASSWORD]
  await send(`${at.url}/v1/agents/${agent.apiKey}/score?key=${agent.apiKey}`, {
    key: agent.apiKey,
  })
  await send(`${at.url}/v1/${owner.token}`, { key: owner.token })
  await send(`${at.url}/v1/auth/login`, { json: { email: PASSWORD, password: PASSWORD } })
  await fetch(`${at.url}/setup?token=${agent.apiKey}`)
  const { headers } = await fetch(`${at.url}/docs/${agent.apiKey}`)
  await lineOf(headers.get('x-request-id'))
  for (const secret of secrets) {
    expect(lines.join('\n')).not.toContain(secret)
  }
})
