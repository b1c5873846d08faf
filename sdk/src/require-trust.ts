import {
  createTrustCheck,
  type TrustOptions,
  type TrustRefusal,
  type TrustRequest,
} from './trust-check.ts'
import type { Decision } from './types.ts'

/** The parts of Hono, Express and Fastify that are used, without a dependency on their packages. */
interface HonoContext {
  readonly req: { readonly raw: Request }
  set(name: 'trust', decision: Decision | null): void
  json(body: TrustRefusal, status: 403 | 503): Response
}

interface NodeRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

interface ExpressResponse {
  status(code: number): { json(body: TrustRefusal): unknown }
}

interface FastifyReply {
  code(status: number): { send(body: TrustRefusal): unknown }
}

/** The check as middleware of each framework. It stores the decision at `trust`. */
export interface TrustMiddleware {
  /** `app.use(trust.hono)`; then `c.get('trust')`. */
  readonly hono: (c: HonoContext, next: () => Promise<void>) => Promise<Response | undefined>
  /** `app.use(trust.express)`; then `req.trust`. */
  readonly express: (
    req: NodeRequest,
    res: ExpressResponse,
    next: (error?: unknown) => void,
  ) => Promise<void>
  /** `app.addHook('onRequest', trust.fastify)`; then `request.trust`. */
  readonly fastify: (request: NodeRequest, reply: FastifyReply) => Promise<unknown>
  /** Wraps a handler of `Request`: Deno, Bun, Cloudflare Workers, Next.js. */
  readonly fetch: (
    handle: (request: Request, trust: Decision | null) => Response | Promise<Response>,
  ) => (request: Request) => Promise<Response>
}

/** Lets only requests of agents pass that a policy allows. */
export function requireTrust(options: TrustOptions): TrustMiddleware {
  const check = createTrustCheck(options)
  return {
    async hono(c, next) {
      const result = await check(ofFetch(c.req.raw))
      if (!result.passes) {
        return c.json(result.body, result.status)
      }
      c.set('trust', result.decision)
      await next()
      return undefined
    },
    async express(req, res, next) {
      try {
        const result = await check(ofNode(req))
        if (!result.passes) {
          res.status(result.status).json(result.body)
          return
        }
        Object.assign(req, { trust: result.decision })
      } catch (error) {
        return next(error)
      }
      next()
    },
    async fastify(request, reply) {
      const result = await check(ofNode(request))
      if (!result.passes) {
        return reply.code(result.status).send(result.body)
      }
      Object.assign(request, { trust: result.decision })
      return undefined
    },
    fetch: (handle) => async (request) => {
      const result = await check(ofFetch(request))
      return result.passes
        ? handle(request, result.decision)
        : Response.json(result.body, { status: result.status })
    },
  }
}

function ofFetch(raw: Request): TrustRequest {
  return { headers: raw.headers, raw }
}

function ofNode(raw: NodeRequest): TrustRequest {
  const get = (name: string) => {
    const value = raw.headers[name.toLowerCase()]
    return value === undefined ? null : String(value)
  }
  return { headers: { get }, raw }
}
