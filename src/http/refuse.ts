import { diskFull, TrustError, unavailable } from '../domain/error.ts'
import { StoreBusy, StoreFull, StoreOutdated, StoreUnavailable } from '../store/store.ts'
import type { Endpoint } from './endpoint.ts'
import { errorResponse, internalError, rpcStatusResponse } from './errors.ts'
import type { LimitDecision } from './limits.ts'
import { preferred } from './negotiate.ts'
import { mediaTypeOf, type Request } from './request.ts'
import type { Response } from './response.ts'

export interface RefusalOptions {
  /** The path of the base URL, without a slash at the end; empty at the root of a host. */
  readonly basePath: string
  /** The page that shows an error to a person. */
  readonly errorPage: (error: TrustError, response: Response, requestId: string) => Response
  /** Called for every refusal of what is limited, before its response. */
  readonly onRefused: (error: TrustError) => void
  /** Called for every fault of the service. */
  readonly onFault: (error: unknown, requestId: string) => void
}

export interface Refused {
  readonly error: TrustError
  readonly requestId: string
  readonly limit: LimitDecision | null
}

export function refuse(
  options: RefusalOptions,
  endpoint: Endpoint,
  request: Request,
  { error, requestId, limit }: Refused,
): Response {
  const { basePath } = options
  const { rpcType } = endpoint
  // Monitoring repeats its requests, and reports itself what fails.
  if (endpoint.admission !== 'unmetered') {
    options.onRefused(error)
  }
  if (rpcType !== undefined && mediaTypeOf(request.headers) === rpcType) {
    return rpcStatusResponse(error, rpcType, limit)
  }
  const response = errorResponse(error, { requestId, basePath }, limit)
  if (!endpoint.isForPeople) {
    return response
  }
  const form = preferred(request.headers.get('accept'), ['application/json', 'text/html'])
  return form === 'text/html' ? options.errorPage(error, response, requestId) : response
}

const DATABASE = { reason: 'database' }

/** The error that a client gets; a fault of the service shows no details. */
export function refusalOf(
  { onFault }: Pick<RefusalOptions, 'onFault'>,
  error: unknown,
  requestId: string,
): TrustError {
  if (error instanceof TrustError) {
    return error
  }
  onFault(error, requestId)
  if (error instanceof StoreBusy) {
    return unavailable('the database is busy; nothing was written, retry', DATABASE)
  }
  if (error instanceof StoreFull) {
    return diskFull()
  }
  if (error instanceof StoreOutdated) {
    return unavailable('what this is about is being deleted; nothing was written, retry', DATABASE)
  }
  if (error instanceof StoreUnavailable) {
    return unavailable('the database cannot be reached; retry', DATABASE)
  }
  return internalError()
}
