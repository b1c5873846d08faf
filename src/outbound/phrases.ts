import { FORBIDDEN_ADDRESS } from './connect.ts'
import { errorCode } from './error-code.ts'

/** Phrases for errors below HTTP, by the code of Node, undici or c-ares. */
const PHRASES: Readonly<Record<string, string>> = {
  [FORBIDDEN_ADDRESS]: 'address not allowed',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed by the receiver',
  EPIPE: 'connection closed by the receiver',
  UND_ERR_SOCKET: 'connection closed by the receiver',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'host unreachable',
  ENOTFOUND: 'name not found',
  ENODATA: 'name not found',
  ETIMEOUT: 'name server timed out',
  ESERVFAIL: 'name server failed',
  EAI_AGAIN: 'name server failed',
  UND_ERR_HEADERS_OVERFLOW: 'response headers too large',
}

/** Why a request got no response, in words. */
export function phraseOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return 'request failed'
  }
  if (error.name === 'HTTPParserError') {
    return 'not an HTTP answer'
  }
  const code = errorCode(error)
  const phrase = PHRASES[code]
  if (phrase !== undefined) {
    return phrase
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/.test(code)) {
    return `certificate refused: ${code}`
  }
  return code === '' ? 'request failed' : `request failed: ${code}`
}
