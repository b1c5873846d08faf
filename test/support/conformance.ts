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
    complaints.push(...complaintsOf(operation, method, url, response, text))
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

/** Everything about one answer that is not as the document says. */
function complaintsOf(
  operation: Operation | undefined,
  method: string,
  url: URL,
  { status, headers }: Response,
  text: string,
): readonly string[] {
  // Pages are no operations, and no part of the document.
  if (!operation && !url.pathname.startsWith('/v1/')) {
    return []
  }
  const here = `${method} ${url.pathname} answered ${status}`
  const complaints: string[] = []
  if (!headers.get('x-request-id')) {
    complaints.push(`${here} without X-Request-Id`)
  }
  // Headers that are too large are refused before the operation is known.
  if (status === 431) {
    return [...complaints, ...invalid(here, method, text, errorSchema)]
  }
  if (!operation) {
    // A method that HTTP does not know is no request at all: 400 says so.
    const refusals = METHODS.includes(method) ? [204, 404, 405] : [400]
    const isFine = refusals.includes(status)
    if (!isFine) {
      complaints.push(`${here}, where there is no operation`)
    }
    if (status >= 400) {
      complaints.push(...invalid(here, method, text, errorSchema))
    }
    return complaints
  }
  const documented = deref(operation.responses[status])
  if (!documented) {
    return [...complaints, `${here}, which is not documented`]
  }
  for (const name of Object.keys(documented.headers ?? {})) {
    if (deref(documented.headers?.[name])?.required && headers.get(name) === null) {
      complaints.push(`${here} without ${name}`)
    }
  }
  const forms = Object.entries(documented.content ?? {})
  const isForm = ([name]: (typeof forms)[number]) => headers.get('content-type')?.startsWith(name)
  const [type, content] = forms.find(isForm) ?? forms[0] ?? []
  if (!type || !content) {
    if (text !== '') {
      complaints.push(`${here} with a body: ${text.slice(0, 200)}`)
    }
  } else if (!headers.get('content-type')?.startsWith(type)) {
    complaints.push(`${here} as ${headers.get('content-type')}, not ${type}`)
  } else if (content.schema && type === 'application/json') {
    complaints.push(...invalid(here, method, text, content.schema))
  }
  return complaints
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
