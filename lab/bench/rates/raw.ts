import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An answer that the service gave, to be given again by the least that could give it. */
export interface RawAnswer {
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Uint8Array
}

/** The physical limit of a read: Node's own server, which says the same bytes to everyone. */
export async function serveRaw({ headers, body }: RawAnswer): Promise<number> {
  const all = headers.flat()
  const server = createServer((_, response) => {
    response.writeHead(200, all)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
