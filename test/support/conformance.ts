import { readFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { basename, join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { afterEach } from 'vitest'
import { EVENT_STREAM_TYPE } from '../../src/http/event-stream.ts'
import { atEnd } from './at-end.ts'
import { exchange } from './exchange.ts'

/**
 * Holds every answer of a service under test to the OpenAPI document: its status must be documented
 * for the operation, its body valid by the schema and free of fields that no schema names. What was
 * found fails the test during which it was found.
 */
export function holdToDocument(isOurs: (url: URL) => boolean): void {
  const complaints: string[] = []
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const { url: href, method } = sent(input, init)
    const url = new URL(href)
    if (!isOurs(url)) {
      return fetch(input, init)
    }
    const operation = operationOf(method, url.pathname)
    const whole =
      operation && isPlain(operation) && !(input instanceof Request)
        ? await exchange(url, method, init ?? {})
        : null
    const response = whole ?? (await fetch(input, init))
    const text = await (whole ? whole.text() : textOf(response.clone()))
    complaints.push(...complaintsOf({ operation, method, url, response, text }))
    return response
  }
  const report = () => {
    const found = complaints.splice(0)
    if (found.length > 0) {
      throw new Error(`not as openapi.json says:\n${found.join('\n')}`)
    }
  }
  afterEach(report)
  atEnd(() => {
    globalThis.fetch = fetch
    report()
  })
}

/** Whether its responses are JSON or empty, and none is another address to go to. */
function isPlain({ responses }: Operation): boolean {
  return Object.entries(responses).every(([status, documented]) => {
    const types = Object.keys(deref(documented).content ?? {})
    return !/^30[12378]$/.test(status) && types.every((type) => type === 'application/json')
  })
}

/** Where a request goes, and its method as it is sent. */
function sent(input: string | URL | Request, init: RequestInit = {}) {
  const { url, method = 'GET' } = input instanceof Request ? input : { url: String(input) }
  const given = init.method ?? method
  // Fetch writes the methods that it knows in capitals.
  return {
    url,
    method: /^(delete|get|head|options|post|put)$/i.test(given) ? given.toUpperCase() : given,
  }
}

interface Exchanged {
  readonly operation: Operation | undefined
  readonly method: string
  readonly url: URL
  readonly response: Pick<Response, 'status' | 'headers'>
  readonly text: string
}

/** Everything about one answer that is not as the document says. */
function complaintsOf(exchanged: Exchanged): readonly string[] {
  const { operation, method, url, response, text } = exchanged
  const { status, headers } = response
  // Pages are no operations, and no part of the document.
  if (!operation && !url.pathname.startsWith('/v1/')) {
    return []
  }
  const here = `${method} ${url.pathname} answered ${status}`
  const unnamed = headers.get('x-request-id') ? [] : [`${here} without X-Request-Id`]
  // Headers that are too large are refused before the operation is known.
  if (status === 431) {
    return [...unnamed, ...invalid(here, method, text, errorSchema)]
  }
  if (!operation) {
    return [...unnamed, ...refusalComplaints(here, exchanged)]
  }
  const documented = deref(operation.responses[status])
  if (!documented) {
    return [...unnamed, `${here}, which is not documented`]
  }
  return [
    ...unnamed,
    ...headerComplaints(here, documented, headers),
    ...bodyComplaints(here, documented, exchanged),
  ]
}

/** Where there is no operation. */
function refusalComplaints(here: string, { method, response, text }: Exchanged): readonly string[] {
  const { status } = response
  // A method that HTTP does not know is no request at all: 400 says so.
  const refusals = METHODS.includes(method) ? [204, 404, 405] : [400]
  return [
    ...(refusals.includes(status) ? [] : [`${here}, where there is no operation`]),
    ...(status >= 400 ? invalid(here, method, text, errorSchema) : []),
  ]
}

function headerComplaints(here: string, documented: Documented, headers: Headers) {
  return Object.entries(documented.headers ?? {})
    .filter(([name, header]) => deref(header).required && headers.get(name) === null)
    .map(([name]) => `${here} without ${name}`)
}

function bodyComplaints(
  here: string,
  { content = {} }: Documented,
  { method, response, text }: Exchanged,
): readonly string[] {
  const sentType = response.headers.get('content-type')
  const forms = Object.entries(content)
  const [form] = [...forms.filter(([type]) => sentType?.startsWith(type)), ...forms]
  if (!form) {
    return text === '' ? [] : [`${here} with a body: ${text.slice(0, 200)}`]
  }
  const [type, { schema }] = form
  if (!sentType?.startsWith(type)) {
    return [`${here} as ${sentType}, not ${type}`]
  }
  return schema && type === 'application/json' ? invalid(here, method, text, schema) : []
}

/** A stream goes on: what it sends is read by its own test. */
async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') !== EVENT_STREAM_TYPE) {
    return response.text()
  }
  // Of two readers the first to leave waits for the other.
  response.body?.cancel().catch(() => {})
  return ''
}

/** Everything about what a receiver got that is not as the document says. */
export function noticeComplaints(type: string, text: string): readonly string[] {
  const { requestBody } = document.webhooks[type]?.post ?? {}
  const schema = requestBody?.content?.['application/json']?.schema
  return schema ? invalid(type, 'POST', text, schema) : [`${type} is not documented`]
}

type Schema = Readonly<Record<string, unknown>>

interface Documented {
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

export interface Operation {
  readonly operationId: string
  readonly requestBody?: Documented
  readonly responses: Readonly<Record<string, Documented>>
}

interface Document {
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** As it was written of the routes, which test/openapi.test.ts shows: to make it takes a third of a second. */
export const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
)

/** What a reference points to; anything else as it is. */
export function deref<T>(value: T): T {
  const ref = (value as { $ref?: unknown } | undefined)?.$ref
  return typeof ref === 'string' ? (targetOf(ref) as T) : value
}

/** Each response asks for several, of which there are few. */
const targets = new Map<string, unknown>()

function targetOf(ref: string): unknown {
  if (!targets.has(ref)) {
    const parts = ref.slice(2).split('/')
    const at = parts.reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], document)
    targets.set(ref, at)
  }
  return targets.get(ref)
}

/** The operation that serves this path: `/v1/agents/me` before `/v1/agents/{id}`. */
function operationOf(method: string, pathname: string): Operation | undefined {
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  const fitting = PATHS.filter(({ item, pattern }) => item[name] && pattern.test(pathname))
  const exact = fitting.find(({ path }) => path === pathname)
  return (exact ?? fitting[0])?.item[name]
}

/** Each path as a pattern, made once: thousands of responses are looked up. */
const PATHS = Object.entries(document.paths).map(([path, item]) => ({
  path,
  item,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}))

/**
 * Each named schema is compiled once, and its code is not optimised: to compile those of all responses
 * takes less than a third of the processor time that it takes otherwise.
 */
const ajv = new Ajv2020({
  allErrors: true,
  strict: false,
  inlineRefs: false,
  code: { optimize: false },
})
addFormats.default(ajv)
ajv.addFormat('base64url', /^[\w-]*$/)
for (const [name, schema] of Object.entries(document.components.schemas)) {
  ajv.addSchema(closedParts(schema) as Schema, name)
}
const compiled = new Map<Schema, ValidateFunction>()

function invalid(here: string, method: string, text: string, schema: Schema): readonly string[] {
  if (method === 'HEAD') {
    return text === '' ? [] : [`${here} with a body`]
  }
  let validate = compiled.get(schema)
  if (!validate) {
    validate = ajv.compile(closed(schema) as Schema)
    compiled.set(schema, validate)
  }
  try {
    if (validate(JSON.parse(text))) {
      return []
    }
  } catch {
    return [`${here} with a body that is not JSON: ${text.slice(0, 200)}`]
  }
  const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    return `  ${instancePath || '(body)'} ${message} ${JSON.stringify(params)}`
  })
  return [`${here} with a body that is not valid:\n${problems.join('\n')}\n  ${text.slice(0, 500)}`]
}

const errorSchema = document.components.schemas.Error ?? {}

/**
 * The schema with every object closed. The document leaves objects open, so that clients take fields of
 * later releases; a field of this release must be named in it.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(closed)
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const { $ref } = value as { readonly $ref?: unknown }
  return typeof $ref === 'string' ? { $ref: basename($ref) } : closedParts(value as Schema)
}

function closedParts(schema: Schema): unknown {
  if (Array.isArray(schema.allOf)) {
    return closedParts(merged(schema.allOf as Schema[]))
  }
  const entries = Object.entries(schema).filter(([key]) => key !== 'example')
  const all = Object.fromEntries(entries.map(([key, one]) => [key, closed(one)]))
  return schema.type === 'object' && schema.properties && schema.additionalProperties === undefined
    ? { ...all, additionalProperties: false }
    : all
}

/** What `extend` makes of a schema, as one object again. */
function merged(parts: readonly Schema[]): Schema {
  const all = parts.map((part) => deref(part))
  const properties = Object.assign({}, ...all.map((part) => part.properties))
  return { type: 'object', properties, required: all.flatMap((part) => part.required ?? []) }
}
