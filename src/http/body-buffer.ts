/** The bytes of bodies that are in memory, of all requests. */
export interface BodyBuffer {
  /** Begins a body of a sender. `giveWay` is called where others need its memory: it then has none. */
  begin(sender: string, giveWay: () => void): BufferedBody
}

/** One body, while it is in memory. */
export interface BufferedBody {
  /** Counts bytes that were read. Where they do not fit, bodies give way; this one may be among them. */
  add(bytes: number): void
  /** All of it was read. It gives way to no other, because its request is soon answered. */
  complete(): void
  /** It takes no memory any more. */
  free(): void
}

/** As many bodies of the largest size as requests that may be in progress and wait. */
const BYTES_MAX = 64 * 1024 * 1024

interface Body {
  readonly sender: string
  readonly giveWay: () => void
  bytes: number
}

/** The incomplete bodies of one sender, the oldest first. */
interface Sender {
  readonly bodies: Set<Body>
  bytes: number
}

/**
 * A body is read before there is room for its request, so that slow senders take none. They still take
 * memory, as much as they have sent. Beyond this bound the oldest incomplete body of the sender with the most
 * gives way, so that no sender takes the memory of others.
 */
export function createBodyBuffer(bytesMax = BYTES_MAX): BodyBuffer {
  const senders = new Map<string, Sender>()
  let total = 0

  function endIncomplete(body: Body): void {
    const sender = senders.get(body.sender)
    if (sender?.bodies.delete(body)) {
      sender.bytes -= body.bytes
    }
    if (sender?.bodies.size === 0) {
      senders.delete(body.sender)
    }
  }

  function free(body: Body): void {
    endIncomplete(body)
    total -= body.bytes
    body.bytes = 0
  }

  function makeRoom(): void {
    while (total > bytesMax) {
      const [oldest] = largest(senders)?.bodies ?? []
      if (oldest === undefined) {
        return
      }
      free(oldest)
      oldest.giveWay()
    }
  }

  return {
    begin(name, giveWay) {
      const body: Body = { sender: name, giveWay, bytes: 0 }
      const sender = senders.get(name) ?? { bodies: new Set(), bytes: 0 }
      senders.set(name, sender)
      sender.bodies.add(body)
      return {
        add(bytes) {
          body.bytes += bytes
          sender.bytes += bytes
          total += bytes
          makeRoom()
        },
        complete: () => endIncomplete(body),
        free: () => free(body),
      }
    },
  }
}

function largest(senders: ReadonlyMap<string, Sender>): Sender | null {
  let most: Sender | null = null
  for (const sender of senders.values()) {
    if (sender.bytes > (most?.bytes ?? 0)) {
      most = sender
    }
  }
  return most
}
