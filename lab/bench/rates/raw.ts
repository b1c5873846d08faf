import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A recorded response of the service, which a minimal server repeats. */
export interface RawAnswer {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

/** The upper bound of a read: Node's own server, which sends one response to every request. */
export async function serveRaw({ headers, body }: RawAnswer): Promise<number> {
  const all = headers.flat()
  const server = createServer((_, response) => {
    response.writeHead(200, all)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
