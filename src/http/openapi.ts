import { OpenAPIHono, z } from '@hono/zod-openapi'
import type { CallerKind } from '../core/caller.ts'
import { STATUS } from './errors.ts'
import type { Route } from './route.ts'

const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(STATUS) as [keyof typeof STATUS]),
      message: z.string(),
      details: z.object({ requestId: z.string() }).catchall(z.unknown()),
    }),
  })
  .openapi('Error')

/** What each status means, whatever the operation. */
const MEANING: Record<number, string> = {
  400: 'The request is not valid; `details.issues` lists every problem',
  401: 'The credential is missing or not valid',
  403: 'The credential does not allow it',
  404: 'There is no such thing',
  409: 'It conflicts with what is there already',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'The Idempotency-Key was used for another request',
  429: 'A limit is reached; `details.limit` names it, `Retry-After` says for how long',
  500: 'A fault of the service',
  503: 'The service cannot answer just now; try again after `Retry-After`',
}

/** How each kind of caller shows who it is. */
const SCHEMES: Partial<Record<CallerKind, string>> = {
  owner: 'ownerToken',
  agent: 'agentKey',
  platform: 'platformKey',
  operator: 'operatorKey',
}

/** The OpenAPI 3.1 document of the routes: what it says is what parses the requests. */
export function openApiDocument(routes: readonly Route[], version: string): object {
  const app = new OpenAPIHono()
  const registry = app.openAPIRegistry
  registry.register('Error', ErrorEnvelope)
  registry.registerComponent('securitySchemes', 'ownerToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From register or login.',
  })
  for (const [name, prefix] of [
    ['agentKey', 'avs_'],
    ['platformKey', 'avp_'],
    ['operatorKey', 'avo_'],
  ] as const)
    registry.registerComponent('securitySchemes', name, {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: `Begins with ${prefix}; may also be sent as Authorization: Bearer.`,
    })
  for (const route of routes) registry.registerPath(pathOf(route))
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Standing',
      version,
      description: 'The open trust score for software agents.',
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name })),
  })
}

type PathConfig = Parameters<OpenAPIHono['openAPIRegistry']['registerPath']>[0]

function pathOf(route: Route): PathConfig {
  const { method, path, operationId, tag, summary, description, params, query, body } = route
  const headers = method === 'get' ? undefined : IdempotencyHeader
  return {
    method,
    path,
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    security: securityOf(route),
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(headers ? { headers } : {}),
      ...(body
        ? {
            body: {
              required: !body.safeParse(undefined).success,
              content: { 'application/json': { schema: body } },
            },
          }
        : {}),
    },
    responses: responsesOf(route),
  }
}

const IdempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(257)
    .optional()
    .openapi({ description: 'A repeated request with the same key gets the first answer again.' }),
})

function securityOf({ callers }: Route): Record<string, string[]>[] {
  const named = callers.flatMap((kind) => SCHEMES[kind] ?? [])
  const all = named.map((name) => ({ [name]: [] }))
  return callers.includes('anonymous') ? [{}, ...all] : all
}

function responsesOf(route: Route): PathConfig['responses'] {
  const responses: PathConfig['responses'] = {}
  for (const [status, { description, schema, contentType }] of Object.entries(route.answers))
    responses[status] = {
      description,
      ...(schema ? { content: { [contentType ?? 'application/json']: { schema } } } : {}),
    }
  if (route.isPublic && route.method === 'get')
    responses[304] = { description: 'What If-None-Match names is what there is' }
  for (const status of errorStatuses(route))
    responses[status] = {
      description: MEANING[status] ?? 'An error',
      content: { 'application/json': { schema: ErrorEnvelope } },
    }
  return responses
}

function errorStatuses(route: Route): readonly number[] {
  const isWrite = route.method !== 'get'
  const statuses = [400, 401, 429, 500, 503]
  if (!route.callers.includes('anonymous') || isWrite) statuses.push(403)
  if (route.params) statuses.push(404)
  if (isWrite) statuses.push(409, 413, 422)
  if (route.body) statuses.push(415)
  for (const code of route.errors ?? []) statuses.push(STATUS[code])
  return [...new Set(statuses)].sort((a, b) => a - b)
}
