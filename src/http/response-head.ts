import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { type LimitDecision, limitHeaders } from './limits.ts'
import type { ResponseHeaders } from './response.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

/** Longer than the idle times of balancers in front, which would otherwise send into a closed connection. */
export const KEEP_ALIVE_MS = 65_000

/** Headers that are the same for every response of an endpoint. */
export interface CommonHeaders {
  /** Whether any web page may read the response (CORS). */
  readonly isPublic: boolean
  /** Whether clients reach the service by https. */
  readonly isSecure: boolean
}

/** The headers that a web page may read besides those that it always may. */
const EXPOSED = 'etag, ratelimit, ratelimit-policy, retry-after, x-request-id'

/** A year, as OWASP asks. Without `includeSubDomains`: other hosts of the domain may not use TLS. */
const STRICT_TRANSPORT = 'max-age=31536000'

/**
 * For headers that a response does not set itself. Nothing is stored by default: a cache may keep a
 * response that says nothing about it, and has no rule for X-API-Key as it has for Authorization.
 */
const DEFAULTS: ResponseHeaders = { ...SECURITY_HEADERS, 'cache-control': 'no-store' }

/** Alternating names and values, which Node's server takes in one call. */
export type HeaderLines = string[]

export function commonLines(own: ResponseHeaders, common: CommonHeaders): HeaderLines {
  const lines: HeaderLines = []
  if (common.isPublic) {
    lines.push('access-control-allow-origin', '*', 'access-control-expose-headers', EXPOSED)
  }
  if (common.isSecure) {
    lines.push('strict-transport-security', STRICT_TRANSPORT)
  }
  for (const name in DEFAULTS) {
    if (own[name] === undefined) {
      lines.push(name, DEFAULTS[name] ?? '')
    }
  }
  return lines
}

/** The text of the common lines, by which of the defaults a response replaces. */
const commonTexts: string[] = []

function commonText(own: ResponseHeaders, common: CommonHeaders): string {
  let key = (common.isPublic ? 1 : 0) + (common.isSecure ? 2 : 0)
  let bit = 4
  for (const name in DEFAULTS) {
    key += own[name] === undefined ? 0 : bit
    bit *= 2
  }
  let text = commonTexts[key]
  if (text === undefined) {
    text = textOf(commonLines(own, common))
    commonTexts[key] = text
  }
  return text
}

function textOf(lines: HeaderLines): string {
  return lines.map((part, i) => (i % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('')
}

export interface HeadText extends CommonHeaders {
  readonly status: number
  readonly own: ResponseHeaders
  readonly requestId: string
  readonly limit: LimitDecision | null
  readonly type: string
  readonly encoding: string | undefined
  readonly length: number
}

/**
 * Writes the head of a response on a connection that stays open; false where it is left to Node, which checks
 * each header of each response, and so takes as long as all else that a cached score needs.
 */
export function writeHeadText(req: IncomingMessage, res: ServerResponse, head: HeadText): boolean {
  const { status, own, requestId, limit, type, encoding, length } = head
  const isPlain = res.shouldKeepAlive && req.httpVersion === '1.1' && req.method !== 'HEAD'
  const statusLine = statusLineOf(status)
  if (!isPlain || statusLine === null || !isVisible(requestId) || !isVisible(type)) {
    return false
  }
  let text = `${statusLine}x-request-id: ${requestId}\r\n`
  if (limit !== null) {
    text += textOf([...limitHeaders(limit)])
  }
  text += commonText(own, head)
  for (const name in own) {
    const value = own[name] ?? ''
    if (!isVisible(value)) {
      return false
    }
    text += `${name}: ${value}\r\n`
  }
  text += encoding === undefined ? '' : `content-encoding: ${encoding}\r\n`
  text += `content-type: ${type}\r\ncontent-length: ${length}\r\nDate: ${dateNow()}\r\n${KEEP_ALIVE}\r\n`
  res.statusCode = status
  const written = res as WithHead
  written._header = text
  return true
}

/** Where Node keeps the head, and whether it has sent it: nothing else of the response changes. */
type WithHead = ServerResponse & { _header: string; _headerSent: boolean }

/**
 * Ends a response whose head `writeHeadText` has written, with a body of so many bytes. Where the connection is
 * free, head and body are written to it as one string: `end` would send a list of them and of an empty rest, which
 * takes an eighth of the time of a cached read. A response without a socket waits for the one before it.
 */
export function endAfterHead(res: ServerResponse, data: string | Uint8Array, bytes: number): void {
  const { socket } = res
  if (typeof data !== 'string' || !socket?.writable) {
    return void res.end(data)
  }
  const written = res as WithHead
  const isAscii = bytes === data.length
  socket.write(written._header + data, isAscii ? 'latin1' : 'utf8')
  written._headerSent = true
  res.end()
}

const KEEP_ALIVE = `Connection: keep-alive\r\nKeep-Alive: timeout=${KEEP_ALIVE_MS / 1000}\r\n`

/** What a value may hold without a closer look. */
function isVisible(value: string): boolean {
  return VISIBLE.test(value)
}

const VISIBLE = /^[\x20-\x7e]*$/

/** Null for those without a body, whose heads Node writes. */
function statusLineOf(status: number): string | null {
  if (status === 200) {
    return 'HTTP/1.1 200 OK\r\n'
  }
  const isWithBody = status > 200 && status !== 204 && status !== 304
  return isWithBody ? `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n` : null
}

let dateSecond = 0
let dateText = ''

/** The value of the Date header, formatted once a second. */
function dateNow(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== dateSecond) {
    dateSecond = second
    dateText = new Date(second * 1000).toUTCString()
  }
  return dateText
}
