import { Agent, request } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, expect, test } from 'vitest'
import { drawn } from '../support/cases.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const { agent, owner } = await newAgent(at)
const { platform } = await newPlatform(at)
const connections = new Agent({ keepAlive: true, maxSockets: 8 })
afterAll(() => connections.destroy())

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const key = { 'x-api-key': platform.apiKey }
const token = { authorization: `Bearer ${owner.token}` }
const json = { 'content-type': 'application/json' }
const about = `/v1/agents/${agent.id}`

/** Requests that succeed, that are refused at each stage, and that nothing is behind. */
const REQUESTS: readonly (readonly [number, string, string, Record<string, string>, string?])[] = [
  [201, 'POST', `${about}/events`, { ...key, ...json }, '{"type":"task.completed"}'],
  [400, 'POST', `${about}/events`, { ...key, ...json }, '{"type":"task.unknown"}'],
  [400, 'POST', `${about}/events`, { ...key, ...json }, '{'],
  [401, 'POST', `${about}/events`, json, '{"type":"task.completed"}'],
  [403, 'GET', '/v1/operator/audit', key],
  [404, 'GET', '/v1/nothing', {}],
  [200, 'GET', `${about}/score`, {}],
  [200, 'GET', `${about}/score/history?limit=5`, {}],
  [200, 'GET', `${about}/events?limit=5`, token],
  [200, 'GET', '/openapi.json', {}],
  [200, 'GET', '/metrics', {}],
]

function ask([expected, method, path, headers, body]: (typeof REQUESTS)[number]): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(at.url + path, { method, headers, agent: connections }, (response) => {
      response.resume().on('end', () => {
        const { statusCode } = response
        statusCode === expected
          ? resolve()
          : reject(new Error(`${method} ${path}: ${statusCode}, not ${expected}`))
      })
    })
    asked.on('error', reject).end(body)
  })
}

async function rounds(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await Promise.all(REQUESTS.map(ask))
  }
}

/** What is left when nothing is in progress and all that can be collected was. */
function inUse() {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return { bytes: heapUsed + external, resources: process.getActiveResourcesInfo().length }
}

/** A request and its response, if they were left behind, are several kilobytes. */
const BYTES_PER_REQUEST_MAX = 2_000
/** A background task may fill a cache during one measurement, but not during each of these. */
const MEASUREMENTS_MAX = 6

test('requests of every kind do not grow the memory of the process', {
  timeout: 240_000,
}, async () => {
  await rounds(drawn(50, 20))
  const perRequest: number[] = []
  let before = inUse()
  const { resources } = before
  const more = drawn(60, 30)
  do {
    await rounds(more)
    const after = inUse()
    perRequest.push((after.bytes - before.bytes) / (more * REQUESTS.length))
    before = after
  } while (Math.min(...perRequest) > BYTES_PER_REQUEST_MAX && perRequest.length < MEASUREMENTS_MAX)
  expect(Math.min(...perRequest), `bytes per request: ${perRequest}`).toBeLessThan(
    BYTES_PER_REQUEST_MAX,
  )
  // Connections to the database may be added; a resource of each request of one kind would be more.
  expect(before.resources - resources).toBeLessThan(more)
})

test('names that no agent can have are not kept in memory', { timeout: 240_000 }, async () => {
  const nameChars = 200_000
  const requests = 60
  /** A span of an agent with a long name, which is another one for each request. */
  const report = (number: number) => {
    const name = { stringValue: `${number}`.padStart(nameChars, 'n') }
    const attributes = [{ key: 'gen_ai.agent.id', value: name }]
    const id = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'invoke_agent x' }
    const span = { ...id, endTimeUnixNano: `${Date.now()}000000`, attributes }
    const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
    return ask([200, 'POST', '/v1/otlp/v1/traces', { ...key, ...json }, body])
  }
  await report(0)
  const { bytes } = inUse()
  for (let i = 1; i <= requests; i++) {
    await report(i)
  }
  expect((inUse().bytes - bytes) / requests).toBeLessThan(nameChars / 2)
})
