import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ReplayError } from './error.ts'

/** Something an agent did. */
export interface EventLine {
  readonly agent: string
  readonly platform: string
  /** Seconds, on a clock of the stream's own. */
  readonly t: number
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
  /** Whether it went well: what is to be foretold of events not yet seen. */
  readonly good: 0 | 1
}

/** How it ended with an agent: what is to be foretold from everything before. */
export interface OutcomeLine {
  readonly agent: string
  readonly outcome: 0 | 1
}

export type StreamLine = EventLine | OutcomeLine

/** Far above any event the service would take (256 KiB); a file without line ends must not fill memory. */
const LINE_MAX = 1_048_576

/** The lines of a file of JSON lines, gzipped or not. Throws a ReplayError that names the broken line. */
export async function* readLines(file: string): AsyncGenerator<StreamLine, void> {
  let number = 0
  for await (const text of splitLines(file)) {
    number++
    if (text.trim() === '') {
      continue
    }
    try {
      yield parseLine(text)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new ReplayError(`${basename(file)}, line ${number}: ${reason}`)
    }
  }
}

async function* splitLines(file: string): AsyncGenerator<string, void> {
  let rest = ''
  try {
    for await (const chunk of await openText(file)) {
      const parts = `${rest}${chunk}`.split('\n')
      rest = parts.pop() ?? ''
      yield* parts
      if (rest.length > LINE_MAX) {
        throw new ReplayError(`${file}: a line of more than 1 MiB`)
      }
    }
  } catch (error) {
    if (error instanceof ReplayError) {
      throw error
    }
    const reason = error instanceof Error ? error.message : String(error)
    throw new ReplayError(`can't read ${file}: ${reason}`)
  }
  if (rest !== '') {
    yield rest
  }
}

async function openText(file: string): Promise<Readable> {
  const packed = await isGzip(file)
  const raw = createReadStream(file)
  // The pipeline hands a failure of the file on to whoever reads what was unpacked.
  const readable = packed ? pipeline(raw, createGunzip(), () => undefined) : raw
  return readable.setEncoding('utf8')
}

/** By its first two bytes (RFC 1952): a name may say anything. */
async function isGzip(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.readUInt16BE() === 0x1f8b
  } finally {
    await handle.close()
  }
}

function parseLine(text: string): StreamLine {
  const line: unknown = parseJson(text)
  if (!isRecord(line)) {
    throw new Error('a line is an object')
  }
  const { agent, platform, t, type, data, good, outcome } = line
  if (typeof agent !== 'string' || agent === '') {
    throw new Error('agent is a name')
  }
  if (outcome !== undefined) {
    return { agent, outcome: bit(outcome, 'outcome') }
  }
  if (typeof platform !== 'string' || platform === '') {
    throw new Error('platform is a name')
  }
  if (typeof t !== 'number') {
    throw new Error('t is a number of seconds')
  }
  if (typeof type !== 'string') {
    throw new Error('type is an event type')
  }
  if (!isRecord(data)) {
    throw new Error('data is an object')
  }
  return { agent, platform, t, type, data, good: bit(good, 'good') }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`not JSON: ${text.slice(0, 60)}`)
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bit(value: unknown, name: string): 0 | 1 {
  if (value === 0 || value === 1) {
    return value
  }
  throw new Error(`${name} is 1 or 0`)
}
