import type { IncomingMessage, ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { httpReceiver } from '../../src/outbound/testing/receiver.ts'

export interface Content {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

/** A web server on loopback that publishes what a test puts there, closed when the test is done. */
export async function startHost() {
  const paths = new Map<string, Content | Answer>()
  const requests: string[] = []
  const server = await httpReceiver((request, response) => {
    const path = request.url ?? '/'
    requests.push(path)
    const found = paths.get(path)
    if (typeof found === 'function') {
      return void found(request, response)
    }
    const { status = 200, headers = {}, body = '' } = found ?? { status: 404 }
    response.writeHead(status, headers).end(body)
  })
  onTestFinished(server.close)
  const host = `localhost:${server.port}`
  return {
    port: server.port,
    host,
    origin: `http://${host}`,
    requests,
    put: (path: string, content: Content | Answer | string) =>
      void paths.set(path, typeof content === 'string' ? { body: content } : content),
    putJson: (path: string, value: unknown, headers: Content['headers'] = {}) =>
      void paths.set(path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(value),
      }),
    remove: (path: string) => void paths.delete(path),
    close: server.close,
  }
}
