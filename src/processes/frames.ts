/** What processes of one machine send each other over a stream. */
import type { Writable } from 'node:stream'

/** A JSON value, with bytes that are passed on as they are. */
export interface Frame<Head> {
  readonly head: Head
  readonly bytes: Uint8Array
}

/** The lengths of both parts, as unsigned numbers of 32 bits, are before them. */
const LENGTH_BYTES = 4
const HEAD_AT = 2 * LENGTH_BYTES

/** Sends the frames of one turn of the event loop by one write: a write for each took three times as long. */
export function createFrameSender<Head>(
  stream: Writable,
): (head: Head, bytes?: Uint8Array | string) => void {
  let frames: Uint8Array[] = []
  const flush = () => {
    const all = frames
    frames = []
    if (stream.writable) {
      stream.write(Buffer.concat(all))
    }
  }
  return (head, bytes = '') => {
    if (frames.length === 0) {
      setImmediate(flush)
    }
    frames.push(frameOf(JSON.stringify(head), bytes))
  }
}

function frameOf(head: string, bytes: Uint8Array | string): Uint8Array {
  const headLength = Buffer.byteLength(head)
  const length = Buffer.byteLength(bytes)
  const frame = Buffer.allocUnsafe(HEAD_AT + headLength + length)
  frame.writeUInt32BE(headLength)
  frame.writeUInt32BE(length, LENGTH_BYTES)
  frame.write(head, HEAD_AT)
  if (typeof bytes === 'string') {
    frame.write(bytes, HEAD_AT + headLength)
  } else {
    frame.set(bytes, HEAD_AT + headLength)
  }
  return frame
}

/** Takes what a stream brings, in any pieces, and calls back with each frame once it is complete. */
export function createFrameReader<Head>(
  onFrame: (frame: Frame<Head>) => void,
): (piece: Buffer) => void {
  let unread: Buffer = Buffer.alloc(0)
  return (piece) => {
    const all = unread.length === 0 ? piece : Buffer.concat([unread, piece])
    let at = 0
    for (let end = endOf(all, at); end <= all.length; end = endOf(all, at)) {
      const bytesAt = at + HEAD_AT + all.readUInt32BE(at)
      const head = JSON.parse(all.toString('utf8', at + HEAD_AT, bytesAt)) as Head
      at = end
      onFrame({ head, bytes: all.subarray(bytesAt, end) })
    }
    unread = all.subarray(at)
  }
}

/** Where the frame ends that begins there; beyond any end where not even its lengths have come. */
function endOf(all: Buffer, at: number): number {
  return all.length - at < HEAD_AT
    ? Number.POSITIVE_INFINITY
    : at + HEAD_AT + all.readUInt32BE(at) + all.readUInt32BE(at + LENGTH_BYTES)
}
