import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /**
   * From now on every byte on the connections there are is taken and goes nowhere, for ever; their
   * ends notice nothing. New connections are taken the same way until `heal` is called.
   */
  swallow(): void
  heal(): void
  close(): Promise<void>
}

/** A TCP proxy in front of a port or a Unix socket. */
export async function startProxy(
  to: { port: number; host: string } | { path: string },
): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const links = new Set<{ isSwallowed: boolean }>()
  let isSwallowing = false
  const server = createServer((near) => {
    const link = { isSwallowed: isSwallowing }
    links.add(link)
    const far = connect(to)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (chunk) => {
        if (!link.isSwallowed) {
          into.write(chunk)
        }
      })
      from.on('close', () => {
        sockets.delete(from)
        if (!link.isSwallowed) {
          into.destroy()
        }
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      isSwallowing = true
      for (const link of links) {
        link.isSwallowed = true
      }
    },
    heal() {
      isSwallowing = false
    },
    async close() {
      for (const socket of sockets) {
        socket.destroy()
      }
      server.close()
      await once(server, 'close')
    },
  }
}
