import { writeSync } from 'node:fs'
import { Socket } from 'node:net'

/** Where the lines of a log go. */
export interface LogOutput {
  write(line: string): void
}

/** Bytes of lines that wait for a reader: some seconds of a busy log. */
const WAITING_MAX = 1_048_576

/**
 * Standard output for a log. Lines that cannot be written, because the disk is full or the reader of the pipe has
 * stopped, are dropped and counted, and the number is logged with the next line: the service goes on without them.
 */
export function createLogOutput(stdout: Socket | { readonly fd: number }): LogOutput {
  return countLost(stdout instanceof Socket ? streamed(stdout) : filed(stdout.fd))
}

/** Writes all of the text or says that it did not. */
type Append = (text: string) => boolean

function countLost(append: Append): LogOutput {
  let lost = 0
  return {
    write(line) {
      if (lost > 0 && append(lostLine(lost))) {
        lost = 0
      }
      if (lost > 0 || !append(line)) {
        lost++
      }
    },
  }
}

/** In the form of the other lines, which `pino` writes. */
function lostLine(lines: number): string {
  const msg = 'the log could not be written: lines are missing'
  return `${JSON.stringify({ level: 40, time: Date.now(), pid: process.pid, lines, msg })}\n`
}

/** A pipe, a socket or a terminal. Node writes at once what the reader has room for, and keeps the rest. */
function streamed(stream: Socket): Append {
  // The reader is gone. Node says so with each line.
  stream.on('error', () => undefined)
  return (text) => {
    const hasRoom = stream.writableLength <= WAITING_MAX
    if (hasRoom) {
      stream.write(text)
    }
    return hasRoom
  }
}

/** A file. What was written of a line before the disk was full ends with the next one. */
function filed(fd: number): Append {
  let isCut = false
  return (text) => {
    const bytes = Buffer.from(isCut ? `\n${text}` : text)
    const written = appendTo(fd, bytes)
    if (written > 0) {
      isCut = bytes[written - 1] !== LINE_END
    }
    return written === bytes.length
  }
}

const LINE_END = 0x0a

/** The number of bytes that were written. */
function appendTo(fd: number, bytes: Buffer): number {
  let written = 0
  try {
    while (written < bytes.length) {
      written += writeSync(fd, bytes, written)
    }
  } catch {
    // Whatever it is, the log is not the place to say it.
  }
  return written
}
