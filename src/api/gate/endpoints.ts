import { METHODS } from 'node:http'
import type { Endpoint } from '../../http/endpoint.ts'
import { type GateDeps, gate } from './handlers.ts'
import { GATE_SPECS } from './spec.ts'

/**
 * The gate for proxies that keep the method or the path of the request they ask about. What is below
 * the path, and the query, are the request's own: they name no policy here.
 */
export function gateEndpoints(deps: GateDeps): readonly Endpoint[] {
  const { path, echoesRequestId } = GATE_SPECS.gate
  const common = {
    name: 'gate',
    admission: 'caller',
    queue: 'read',
    // Whatever the method of the request it is asked about.
    writes: false,
    isPublic: false,
    isForPeople: false,
    echoesRequestId,
    handle: (exchange) => gate(deps, exchange, { review: 'deny' }),
  } as const satisfies Partial<Endpoint>
  return METHODS.flatMap((method) => [
    ...(method === 'GET' ? [] : [{ ...common, method, path }]),
    { ...common, method, path: `${path}/{path*}` },
  ])
}
