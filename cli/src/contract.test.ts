import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { commandIn } from '../../test/support/command.ts'
import { newPlatform, startService } from '../../test/support/service.ts'
import { RULES } from './contract/rules.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const typed = commandIn({})

interface Line {
  readonly rule: string
  readonly outcome: string
  readonly expected?: string
  readonly got?: string
}

const linesOf = (out: string): readonly Line[] => out.split('\n').map((line) => JSON.parse(line))

/** What callers say; the rest belongs to a connection. */
const FORWARDED = ['authorization', 'x-api-key', 'content-type', 'idempotency-key']

/** The service with one answer changed on its way. */
async function altered(change: (path: string, body: string) => string): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk)
    }
    const headers = FORWARDED.flatMap((name) => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value] as [string, string]] : []
    })
    const answer = await fetch(`${at.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers,
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    })
    response.statusCode = answer.status
    response.setHeader('content-type', 'application/json')
    response.end(change(request.url ?? '', await answer.text()))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('standing contract', () => {
  test('finds that this service follows every rule of the interface', async () => {
    const { platform } = await newPlatform(at)
    const { code, out } = await typed(`contract ${at.url} --platform-key ${platform.apiKey} --json`)
    const differing = linesOf(out).filter(({ outcome }) => outcome === 'differs')
    expect(differing).toEqual([])
    expect(code).toBe(0)
    expect(linesOf(out).at(-1)).toMatchObject({ follows: RULES.length, differs: 0, skipped: 0 })
  })

  test.each<[string, (path: string, body: string) => string, string]>([
    [
      'a list without nextCursor',
      (path, body) => (path === '/v1/agents' ? body.replace('"nextCursor"', '"next"') : body),
      'lists the own agents',
    ],
    [
      'a score outside the scale',
      (_, body) => body.replace(/"score":\d+,"classification"/, '"score":1001,"classification"'),
      'a number from 0 to 1000',
    ],
    [
      'an error of another shape',
      (_, body) => body.replace('{"error":{', '{"problem":{'),
      'a missing credential',
    ],
    [
      'a self-report that is not flagged',
      (_, body) => body.replace('"isSelfReported":true', '"isSelfReported":false'),
      'flagged isSelfReported',
    ],
    [
      'a revoked credential that still verifies',
      (_, body) => body.replace('"valid":false', '"valid":true'),
      'revoked credential',
    ],
  ])('names the rule that %s breaks, and exits with code 1', async (_, change, rule) => {
    const { code, out } = await typed(['contract', await altered(change), '--only', rule, '--json'])
    expect(code).toBe(1)
    expect(linesOf(out)[0]).toMatchObject({
      rule: expect.stringContaining(rule),
      outcome: 'differs',
      expected: expect.any(String),
      got: expect.any(String),
    })
  })

  test('without a platform’s key names the rules it did not check', async () => {
    const { code, out } = await typed(`contract ${at.url} --only 16`)
    expect(code).toBe(0)
    expect(out).toMatch(/^skipped {2}Endpoint 16: an event of a platform/m)
  })

  test('exits with code 3 where no service answers at the address', async () => {
    expect(await typed('contract http://127.0.0.1:9')).toMatchObject({
      code: 3,
      said: expect.stringContaining('cannot reach http://127.0.0.1:9'),
    })
  })
})
