import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { Standing, type StandingOptions } from '../src/index.ts'

export interface Received {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

/** What to answer, or what to do to the connection instead. */
export type Answer =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | ((response: ServerResponse) => void)

export interface TestServer {
  readonly baseUrl: string
  readonly received: readonly Received[]
  /** The waits that the client asked for, in milliseconds; none of them takes any time. */
  readonly waits: readonly number[]
  readonly client: (options?: Partial<StandingOptions>) => Standing
}

/** A real server for one test. `answer` decides each answer; `n` counts the requests from 0. */
export async function serve(answer: (request: Received, n: number) => Answer): Promise<TestServer> {
  const received: Received[] = []
  const waits: number[] = []
  const server = createServer(async (incoming, response) => {
    const { method = '', url = '', headers } = incoming
    const raw = await text(incoming)
    const request = { method, url, headers, body: raw === '' ? undefined : JSON.parse(raw) }
    received.push(request)
    try {
      send(response, answer(request, received.length - 1))
    } catch (error) {
      // An expectation of the test failed: the client gets an answer rather than waiting for one.
      send(response, { status: 500, body: refusal('INTERNAL_ERROR', String(error)) })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const wait = async (ms: number) => void waits.push(ms)
  const client = (options?: Partial<StandingOptions>) => new Standing({ baseUrl, wait, ...options })
  return { baseUrl, received, waits, client }
}

function send(response: ServerResponse, answer: Answer): void {
  if (typeof answer === 'function') {
    answer(response)
    return
  }
  const { status, body, headers } = answer
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body))
}

export function refusal(code: string, message = 'no', details: object = {}): { error: object } {
  return { error: { code, message, details } }
}
