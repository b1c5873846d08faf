import { keyKindOf } from '../../../src/auth/key-format.ts'
import { problemsOf } from '../../../src/domain/error.ts'
import { searchOf } from '../../../src/mcp/query.ts'
import { type ApiCall, type ToolContext, ToolRefusal } from '../../../src/mcp/tool.ts'
import type { HttpFetch, HttpRequest, HttpResponse } from './fetch.ts'
import { errorIn, jsonOf } from './json.ts'

export interface Remote {
  /** Without a slash at the end. */
  readonly url: string
  /** An API key or token; null for public reads. */
  readonly key: string | null
  readonly fetch: HttpFetch
}

/** A call that takes longer is given up: the model waits for it. */
const TIMEOUT_MS = 30_000

/** Tools that call a service over HTTP. */
export function remoteContext({ url, key, fetch }: Remote): ToolContext {
  const authorization: Record<string, string> =
    key === null ? {} : { authorization: `Bearer ${key}` }
  return {
    // What is not a key is a token, which is an owner's.
    callerKind: key === null ? 'anonymous' : (keyKindOf(key) ?? 'owner'),
    async call({ method, path, query = {}, body }: ApiCall) {
      const response = await reach(fetch, `${url}${path}${searchOf(query)}`, {
        method,
        headers: { ...authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const parsed = jsonOf(await response.text())
      if (!response.ok) {
        throw refusalOf(response.status, parsed)
      }
      return parsed
    },
  }
}

async function reach(
  fetch: HttpFetch,
  address: string,
  request: HttpRequest,
): Promise<HttpResponse> {
  try {
    return await fetch(address, request)
  } catch {
    const { origin } = new URL(address)
    throw new ToolRefusal('NETWORK_ERROR', `no service answers at ${origin}: check STANDING_URL`)
  }
}

function refusalOf(status: number, body: unknown): ToolRefusal {
  const {
    code = `HTTP_${status}`,
    message = 'not an answer of Standing',
    details = {},
  } = errorIn(body)
  return new ToolRefusal(code, problemsOf({ message, details }))
}
