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
  /** Ends what was swallowed, as the keep-alive of the system does after some time. */
  forget(): void
  /** Ends both sides of every connection. */
  cut(): void
  /** Ends every connection, and each new one until `heal` is called. */
  refuse(): void
  /**
   * From now on a connection is ended where the far end answers a commit: it has happened, and the near
   * end does not learn of it. Returns what stops it, and says how many answers were lost.
   */
  loseCommits(share: number): () => number
  /** The next answer to a commit is the last that its connection lets through. */
  cutBehindCommit(): void
  /** New connections lead there from now on. */
  leadTo(place: Place): void
  close(): Promise<void>
}

interface Link {
  readonly near: Socket
  readonly far: Socket
  isSwallowed: boolean
}

/** How PostgreSQL says that a commit has happened; the statement itself is prepared, and sent by its name. */
const COMMITTED = Buffer.from('COMMIT\0')

export type Place = { readonly port: number; readonly host: string } | { readonly path: string }

/** A TCP proxy in front of a port or a Unix socket. */
export async function startProxy(to: Place): Promise<TcpProxy> {
  let place = to
  const links = new Set<Link>()
  let isSwallowing = false
  let isRefusing = false
  let losesShare = 0
  let lost = 0
  let isCutBehindCommit = false

  function sent(link: Link, chunk: Buffer): void {
    if (!link.isSwallowed) {
      link.far.write(chunk)
    }
  }

  function answered(link: Link, chunk: Buffer): void {
    if (losesShare > 0 && chunk.includes(COMMITTED) && Math.random() < losesShare) {
      lost++
      end(link)
    } else if (isCutBehindCommit && chunk.includes(COMMITTED)) {
      isCutBehindCommit = false
      link.near.end(chunk)
      link.far.destroy()
    } else if (!link.isSwallowed) {
      link.near.write(chunk)
    }
  }

  const server = createServer((near) => {
    if (isRefusing) {
      near.destroy()
      return
    }
    const far = connect({ ...place })
    const link = { near, far, isSwallowed: isSwallowing }
    links.add(link)
    near.on('data', (chunk) => sent(link, chunk))
    far.on('data', (chunk) => answered(link, chunk))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => {
        if (!link.isSwallowed) {
          other.destroy()
        }
        if (near.destroyed && far.destroyed) {
          links.delete(link)
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
      isRefusing = false
    },
    forget() {
      for (const link of [...links].filter(({ isSwallowed }) => isSwallowed)) {
        end(link)
      }
    },
    cut() {
      for (const link of links) {
        end(link)
      }
    },
    refuse() {
      isRefusing = true
      for (const link of links) {
        end(link)
      }
    },
    loseCommits(share) {
      losesShare = share
      const before = lost
      return () => {
        losesShare = 0
        return lost - before
      }
    },
    cutBehindCommit() {
      isCutBehindCommit = true
    },
    leadTo(next) {
      place = next
    },
    async close() {
      for (const link of links) {
        end(link)
      }
      server.close()
      await once(server, 'close')
    },
  }
}

function end({ near, far }: Link): void {
  near.destroy()
  far.destroy()
}
