import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server as Tcp } from 'node:net'
import { type Certificate, createCertificate } from './certificate.ts'

/** Something that listens on loopback, and how many connections it has seen. */
export interface Receiver {
  readonly port: number
  readonly connections: () => number
  readonly close: () => Promise<void>
}

export interface SecureReceiver extends Receiver, Certificate {
  /** The names asked for in SNI. */
  readonly serverNames: readonly string[]
}

export function httpReceiver(listener: RequestListener, host?: string): Promise<Receiver> {
  return listening(createServer(listener), host)
}

export async function httpsReceiver(
  names: readonly string[],
  listener: RequestListener,
): Promise<SecureReceiver> {
  const certificate = createCertificate(names)
  const serverNames: string[] = []
  const server = createSecureServer(certificate, listener)
  server.on('secureConnection', (socket) => serverNames.push(String(socket.servername)))
  return { ...(await listening(server)), ...certificate, serverNames }
}

/** Has no HTTP parser: a test writes its responses byte by byte. */
export function tcpReceiver(listener: Parameters<typeof createTcpServer>[1]): Promise<Receiver> {
  return listening(createTcpServer(listener))
}

async function listening(server: Server | Tcp, host = '127.0.0.1'): Promise<Receiver> {
  const sockets = new Set<{ destroy: () => void }>()
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) {
        socket.destroy()
      }
      await closed
    },
  }
}
