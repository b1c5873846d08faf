import { principalOf } from '../domain/caller.ts'
import { isUuid } from '../domain/uuid.ts'
import type { Served } from '../http/edge.ts'
import type { Log } from '../lib/log.ts'

/** A client may name its own request; this much of it is logged. */
const REQUEST_ID_MAX = 128

/**
 * Writes a line for each request. Nothing in it is secret: of the path only ids are written as they
 * were sent, and neither the query, nor headers, nor a body is.
 */
export function logRequest(log: Log, served: Served, traceId: string | null): void {
  const { request, requestId, endpoint, admission, status, seconds, refusal } = served
  const caller = admission?.caller
  log.info(
    {
      requestId: requestId.slice(0, REQUEST_ID_MAX),
      method: request.method,
      path: loggedPath(served),
      operation: endpoint.name,
      status,
      ms: Math.round(seconds * 1e5) / 100,
      ...(caller && { caller: caller.kind === 'anonymous' ? 'anonymous' : principalOf(caller) }),
      ...(admission && { address: admission.address }),
      ...(refusal && { code: refusal.code }),
      ...(traceId !== null && { traceId }),
    },
    'request',
  )
}

/** The path of the endpoint with the ids in it; the name of a parameter where its value is no id. */
export function loggedPath({ endpoint, params }: Pick<Served, 'endpoint' | 'params'>): string {
  return endpoint.path.replace(/\{(\w+)\*?\}/g, (name, param: string) => {
    const value = params[param] ?? ''
    return isUuid(value.toLowerCase()) ? value : name
  })
}
