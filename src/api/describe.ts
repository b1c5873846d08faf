import { type Parts, routesOf } from '../app.ts'
import { openApiDocument } from '../http/openapi.ts'
import type { Route } from '../http/route.ts'
import { ABOUT } from './about.ts'

/** The operations as declared, with nothing behind them: good for describing, not for serving. */
export function describedRoutes(): readonly Route[] {
  return routesOf(inert('parts') as Parts)
}

/** The OpenAPI document, made without a database or a key. */
export function describe(): object {
  return openApiDocument(describedRoutes(), ABOUT)
}

/** Stands in for any part while routes are declared; whoever would have it do something is told. */
function inert(name: string): unknown {
  return new Proxy(() => {}, {
    get: (_target, part) => inert(`${name}.${String(part)}`),
    apply: () => {
      throw new Error(`${name} is needed while the routes are declared; take it up when they serve`)
    },
  })
}
