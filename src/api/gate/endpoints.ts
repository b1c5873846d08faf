import { METHODS } from 'node:http'
import type { Endpoint } from '../../http/endpoint.ts'
import type { Route } from '../../http/route.ts'
import { type GateDeps, gate, gateRoutes } from './handlers.ts'
import { GATE_SPECS } from './spec.ts'

/**
 * The gate for proxies that keep the method or the path of the request they ask about. At the gate's own path the query
 * is the proxy's, with any method. What is below the path, and the query there, are the request's own: they name no
 * policy. `serve` makes the endpoint of an operation.
 */
export function gateEndpoints(
  deps: GateDeps,
  serve: (route: Route) => Endpoint,
): readonly Endpoint[] {
  const { path, echoesRequestId } = GATE_SPECS.gate
  const atPath = gateRoutes(deps).map(serve)
  const below = {
    name: 'gate',
    path: `${path}/{path*}`,
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
    // With GET it is an operation of the API.
    ...(method === 'GET' ? [] : atPath.map((endpoint) => ({ ...endpoint, method }))),
    { ...below, method },
  ])
}
