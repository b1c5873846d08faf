import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import type { CallerKind } from '../domain/caller.ts'
import { docUrlOf } from './error-guide.ts'
import { STATUS } from './errors.ts'
import { ISSUES_MAX } from './issues.ts'
import { addExamples, type Json } from './openapi-examples.ts'
import {
  errorComponents,
  errorResponseRef,
  errorResponseWithRpc,
  HEADERS,
  headersOf,
} from './openapi-responses.ts'
import { type Operation, permissionOf, type ResponseSpec, takesKey } from './route.ts'
import { z } from './schema.ts'

/** A notification that webhooks deliver. */
export interface NotificationSpec {
  readonly type: string
  readonly when: string
  /** The whole body. */
  readonly schema: z.ZodType
}

/** What the document says about the service as a whole. */
export interface About {
  readonly title: string
  readonly version: string
  readonly description: string
  /** What each group of operations is for, in the order of the document. */
  readonly tags: Readonly<Record<string, string>>
  readonly notifications: readonly NotificationSpec[]
  /** Whether an operation takes the header Standing-Mode. */
  readonly takesMode: (route: Operation) => boolean
}

const ErrorEnvelope = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(STATUS) as [keyof typeof STATUS]),
      message: z.string().openapi({ description: 'A sentence for people.' }),
      details: z
        .object({
          requestId: z.string().openapi({ description: 'The id of the request in the log.' }),
          docUrl: z
            .string()
            .openapi({ format: 'uri-reference', example: docUrlOf('VALIDATION_ERROR') })
            .openapi({ description: 'The page about the code, on this service.' }),
          issues: z
            .array(
              z.object({
                path: z.string().openapi({
                  description:
                    'A field of the body (`data.amount`, `events.1.type`, `body` for all of it) or, after a ' +
                    'prefix, a parameter of the query (`query.limit`) or of the path (`params.id`), or a ' +
                    'header (`header.Idempotency-Key`).',
                  example: 'data.amount',
                }),
                code: z.string(),
                message: z.string(),
              }),
            )
            .max(ISSUES_MAX)
            .optional()
            .openapi({
              description:
                '`VALIDATION_ERROR` only: every problem, with its field (`path`), its kind (`code`) and a sentence.',
            }),
        })
        .catchall(z.unknown()),
    }),
  })
  .openapi('Error')

/** The security schemes of each kind of caller. An API key may come in either of two headers. */
const SCHEMES: Readonly<Record<CallerKind, readonly string[]>> = {
  anonymous: [],
  owner: ['ownerToken', 'ownerKey', 'bearerKey'],
  agent: ['agentKey', 'bearerKey'],
  platform: ['platformKey', 'bearerKey'],
  operator: ['operatorKey', 'bearerKey'],
}

/** The OpenAPI 3.1 document of the operations, from the schemas that parse their requests. */
export function openApiDocument(routes: readonly Operation[], about: About): object {
  const registry = new OpenAPIRegistry()
  registry.register('Error', ErrorEnvelope)
  registerSchemes(registry)
  for (const [name, header] of Object.entries(HEADERS)) {
    registry.registerComponent('headers', name, header as Component)
  }
  const statuses = new Set(routes.flatMap(errorStatuses))
  for (const [name, response] of Object.entries(errorComponents([...statuses]))) {
    registry.registerComponent('responses', name, response as Component)
  }
  for (const route of routes) {
    registry.registerPath(pathOf(route, about.takesMode(route)))
  }
  for (const notification of about.notifications) {
    registry.registerWebhook(webhookOf(notification))
  }
  const { title, version, description, tags } = about
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: tagsOf(routes, tags),
  })
  addExamples(document as unknown as Json)
  return document
}

type Component = Parameters<OpenAPIRegistry['registerComponent']>[2]

function registerSchemes(registry: OpenAPIRegistry): void {
  registry.registerComponent('securitySchemes', 'ownerToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: "An owner's token, from register or login.",
  })
  for (const [name, prefix, whose] of [
    ['ownerKey', 'avw_', 'A named key of an owner, with scopes'],
    ['agentKey', 'avs_', 'An agent’s key, from its registration'],
    ['platformKey', 'avp_', 'A platform’s key, from the operator'],
    ['operatorKey', 'avo_', 'The key of the operator of the service'],
  ] as const) {
    registry.registerComponent('securitySchemes', name, {
      type: 'apiKey',
      in: 'header',
      name: 'X-API-Key',
      description: `${whose}: begins with ${prefix}.`,
    })
  }
  registry.registerComponent('securitySchemes', 'bearerKey', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'API key',
    description: 'Any of these keys may also be sent as Authorization: Bearer.',
  })
}

/** The tags of the operations, the known ones first and in their order. */
function tagsOf(routes: readonly Operation[], known: About['tags']) {
  const used = new Set(routes.map(({ tag }) => tag))
  const names = [...Object.keys(known).filter((name) => used.has(name)), ...used]
  return [...new Set(names)].map((name) => ({ name, description: known[name] ?? name }))
}

function pathOf(route: Operation, takesMode: boolean): RouteConfig {
  const { method, path, operationId, tag, summary, description, params, query, body } = route
  const permission = permissionOf(route)
  const ofWrite = takesKey(route) && IdempotencyHeader
  const ofMethod = method === 'get' ? route.isPublic && ConditionalHeader : ofWrite
  const headers = takesMode ? ModeHeader.extend(ofMethod ? ofMethod.shape : {}) : ofMethod
  return {
    method,
    path,
    operationId,
    tags: [tag],
    summary,
    ...(description ? { description } : {}),
    security: securityOf(route),
    ...(permission === null ? {} : { 'x-permission': permission }),
    request: {
      ...(params ? { params } : {}),
      ...(query ? { query } : {}),
      ...(headers ? { headers } : {}),
      ...(route.streams
        ? {
            body: {
              required: true,
              content: { [route.streams]: { schema: z.string() }, ...otherContent(route) },
            },
          }
        : {}),
      ...(body
        ? {
            body: {
              required: !body.safeParse(undefined).success,
              content: { 'application/json': { schema: body }, ...otherContent(route) },
            },
          }
        : {}),
    },
    responses: responsesOf(route),
  }
}

function otherContent({ otherBodies = {} }: Operation) {
  const forms = Object.entries(otherBodies).map(([type, schema]) => [type, { schema }] as const)
  return Object.fromEntries(forms)
}

const IdempotencyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(257).optional().openapi({
    description:
      'Names the request: repeated within a day, it happens once and gets the first response. 1 to 255 visible ASCII characters, bare or in double quotes.',
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  }),
})

const ModeHeader = z.object({
  'Standing-Mode': z
    .enum(['live', 'test'])
    .optional()
    .openapi({
      description:
        'Which data an owner or an operator works with; `live` by default. The key of an agent or a ' +
        'platform is for one mode.',
      example: 'live',
    }),
})

const ConditionalHeader = z.object({
  'If-None-Match': z.string().optional().openapi({
    description: 'The ETag of the response that the client has.',
    example: '"5-01931b66"',
  }),
})

/** A notification as a receiver gets it, and the responses expected of the receiver. */
function webhookOf({ type, when, schema }: NotificationSpec): RouteConfig {
  return {
    method: 'post',
    path: type,
    operationId: type,
    tags: ['Webhooks'],
    summary: when,
    description:
      'Posted to every subscription to this type; the notifications of one agent arrive in order.',
    security: [],
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: {
      '2XX': { description: 'Received. Any other status is a failure and is retried.' },
      410: { description: 'No more notifications are wanted: the subscription is disabled.' },
    },
  }
}

function securityOf(route: Operation): Record<string, string[]>[] {
  const { callers } = route
  const permission = permissionOf(route)
  const isForPeople = permission === 'admin' || permission === 'session'
  const schemes = { ...SCHEMES, ...(isForPeople ? { owner: ['ownerToken'] } : {}) }
  const names = [...new Set(callers.flatMap((kind) => schemes[kind]))]
  const all = names.map((name) => ({ [name]: [] }))
  return callers.includes('anonymous') ? [{}, ...all] : all
}

function responsesOf(route: Operation): RouteConfig['responses'] {
  const responses: RouteConfig['responses'] = {}
  const headers = headersOf(route)
  for (const [status, response] of Object.entries(route.responses)) {
    responses[status] = { description: response.description, headers, ...contentOf(response) }
  }
  if (route.isPublic && route.method === 'get') {
    responses[304] = { description: 'Not modified: the client has this version.', headers }
  }
  for (const status of errorStatuses(route)) {
    responses[status] =
      route.rpcType === undefined
        ? errorResponseRef(status)
        : errorResponseWithRpc(status, route.rpcType)
  }
  return responses
}

function contentOf({ schema, contentType = 'application/json', textTypes = [] }: ResponseSpec) {
  if (!schema) {
    return {}
  }
  const others = textTypes.map((type) => [type, { schema: z.string() }] as const)
  return { content: { [contentType]: { schema }, ...Object.fromEntries(others) } }
}

function errorStatuses(route: Operation): readonly number[] {
  // The credentials of a suspended account are refused for what anyone may read, too.
  const statuses: number[] = route.isUnmetered ? [400, 500] : [400, 401, 403, 429, 500, 503]
  if (route.params) {
    statuses.push(404)
  }
  if (route.method !== 'get') {
    statuses.push(413, 415)
  }
  if (takesKey(route)) {
    statuses.push(409, 422)
  }
  for (const code of route.errors ?? []) {
    statuses.push(STATUS[code])
  }
  return [...new Set(statuses)].sort((a, b) => a - b)
}
