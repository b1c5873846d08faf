import type { Caller } from '../domain/caller.ts'
import type { Awaitable } from '../lib/awaitable.ts'
import type { AdmissionRule } from './admission.ts'
import type { ErrorContext } from './errors.ts'
import type { RequestQueue } from './intake.ts'
import type { Request } from './request.ts'
import type { Response } from './response.ts'
import type { Routable } from './router.ts'

/** Anything that the edge serves: an operation of the API or a page. */
export interface Endpoint extends Routable {
  /** Names the endpoint in metrics. */
  readonly name: string
  readonly admission: AdmissionRule
  readonly queue: RequestQueue
  /** Whether it is refused while nothing may be written. */
  readonly writes: boolean
  /** Whether any web page may read the responses (CORS). */
  readonly isPublic: boolean
  /** Whether errors are pages for a client that prefers HTML. */
  readonly isForPeople: boolean
  /** The media type of requests in Protocol Buffers; their errors are a `google.rpc.Status` of that type. */
  readonly rpcType?: string | undefined
  /** Whether the response has the request's own `X-Request-Id`, where it has one. */
  readonly echoesRequestId?: boolean
  handle(exchange: Exchange): Awaitable<Response>
}

/** A request that was admitted. */
export interface Exchange extends ErrorContext {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  readonly caller: Caller
  /** Where the request comes from: an IPv4 address, or the /64 of an IPv6 one. */
  readonly address: string
}

/** A page, or another address outside the API: no schema, not in the OpenAPI document. */
export interface PageRoute extends Routable {
  readonly method: 'get' | 'post'
  readonly isUnmetered?: boolean
  readonly handle: (exchange: Exchange) => Promise<Response>
}

export function pageEndpoint({ method, path, isUnmetered, handle }: PageRoute): Endpoint {
  return {
    method,
    path,
    name: 'page',
    admission: isUnmetered ? 'unmetered' : 'address',
    queue: 'none',
    writes: method === 'post',
    isPublic: false,
    isForPeople: true,
    handle,
  }
}
