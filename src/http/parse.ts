import { type ErrorCode, type Issue, invalid } from '../domain/error.ts'
import { isUuid } from '../domain/uuid.ts'
import { type Awaitable, andThen } from '../lib/awaitable.ts'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { ISSUES_MAX, issuesOf } from './issues.ts'
import { parseJson } from './json.ts'
import { mediaTypeOf, type Request } from './request.ts'
import type { Route } from './route.ts'
import { z } from './schema.ts'
import { parseBy } from './validation-messages.ts'

export interface Parsed {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  /** The JSON of the body, before its schema changes it; undefined where there is none. */
  readonly json: unknown
  readonly bodyBytes: Uint8Array
}

/** Parses every part of a request; an error lists every problem at once. */
export type RequestParser = (
  request: Request,
  rawParams: Readonly<Record<string, string>>,
) => Awaitable<Parsed>

/** Parses by the schemas of a route. What does not differ between its requests is found once. */
export function requestParser(route: Route): RequestParser {
  const parseParams = paramsParser(route.params)
  const parseQuery = queryParser(route)
  const isWithoutBody = route.method === 'get' || route.streams !== undefined
  return (request, rawParams) => {
    const issues: Issue[] = []
    const params = parseParams(rawParams, issues)
    const query = parseQuery(request.search, issues)
    if (isWithoutBody) {
      return parsed(
        { params, query, body: undefined, json: undefined, bodyBytes: NO_BYTES },
        issues,
      )
    }
    return andThen(request.readBody(), (bodyBytes) => {
      const schema = bodySchemaOf(route, request)
      const json = bodyOf(request, bodyBytes, route.refusesMediaTypesAs)
      const body = parsePart('body', schema, json, issues)
      return parsed({ params, query, body, json, bodyBytes }, issues)
    })
  }
}

type ParamsParser = (raw: Readonly<Record<string, string>>, issues: Issue[]) => unknown

/** To parse an id by its schema took a twentieth of the time of a cached read. */
function paramsParser(schema: z.ZodObject | undefined): ParamsParser {
  if (schema === undefined) {
    return () => undefined
  }
  const name = soleIdOf(schema)
  return (raw, issues) =>
    name !== null && isUuid(raw[name] ?? '')
      ? { [name]: raw[name] }
      : parsePart('params', schema, raw, issues)
}

/** The name of the parameter, where it is the only one and an id. */
function soleIdOf({ shape }: z.ZodObject): string | null {
  const [first, ...others] = Object.entries(shape)
  return first && others.length === 0 && isId(first[1]) ? first[0] : null
}

/** A UUID, which is put in lower case. */
function isId(schema: unknown): boolean {
  return schema instanceof z.ZodPipe && schema.in instanceof z.ZodGUID
}

function parsePart(name: string, schema: z.ZodType, value: unknown, issues: Issue[]): unknown {
  const result = parseBy(schema, value)
  if (result.success) {
    return result.data
  }
  issues.push(...issuesOf(name, result.error))
  return undefined
}

function parsed(parts: Parsed, issues: readonly Issue[]): Parsed {
  if (issues.length > 0) {
    throw invalid(issues.slice(0, ISSUES_MAX))
  }
  return parts
}

type QueryParser = (search: string, issues: Issue[]) => unknown

/** Queries of each public route that are remembered, and how long they may be: 2 MB at most. */
const QUERIES_MAX = 1_000
const QUERY_CHARS_MAX = 1_000

/** What is public is asked for again and again: to parse a query took a twentieth of the time of a lookup. */
function queryParser({ query: schema, isPublic = false }: Route): QueryParser {
  const noQuery = noQueryOf(schema)
  const parsedBefore = createBoundedMap<string, unknown>(QUERIES_MAX)
  return (search, issues) => {
    if (search.length <= 1 && noQuery !== null) {
      return noQuery.value
    }
    const before = isPublic ? parsedBefore.get(search) : undefined
    if (before !== undefined) {
      return before
    }
    const own: Issue[] = []
    const query = parseQuery(schema, search, own)
    issues.push(...own)
    if (isPublic && own.length === 0 && search.length <= QUERY_CHARS_MAX) {
      parsedBefore.set(search, Object.freeze(query))
    }
    return query
  }
}

/** What no parameters are parsed to: the same for each request. Null where there have to be some. */
function noQueryOf(schema: z.ZodObject | undefined): { readonly value: unknown } | null {
  if (schema === undefined) {
    return { value: undefined }
  }
  const { success, data } = parseBy(schema, {})
  return success ? { value: Object.freeze(data) } : null
}

function parseQuery(schema: z.ZodObject | undefined, search: string, issues: Issue[]): unknown {
  const pairs = [...new URLSearchParams(search)]
  issues.push(...encodingIssues(search))
  const query = schema && parsePart('query', schema, Object.fromEntries(pairs), issues)
  issues.push(...queryIssues(schema, pairs))
  return query
}

/** The schema of the body in the form that its media type names. */
function bodySchemaOf({ body = NOTHING, otherBodies }: Route, { headers }: Request): z.ZodType {
  if (!otherBodies) {
    return body
  }
  return otherBodies[mediaTypeOf(headers)] ?? body
}

/** An operation without a body refuses one rather than ignore it. */
const NOTHING = z.strictObject({}).optional()

/** A request without a body has no media type to judge; the schema says whether it needs one. */
function bodyOf(
  { headers }: Request,
  bytes: Uint8Array,
  refusesAs: ErrorCode | undefined,
): unknown {
  return bytes.byteLength === 0 ? undefined : parseJson(headers, bytes, refusesAs)
}

const NO_BYTES = new Uint8Array()

/** Where the encoding is wrong, `URLSearchParams` reads it as other text: a filter would be another one. */
function encodingIssues(search: string): readonly Issue[] {
  if (!search.includes('%') || isDecodable(search)) {
    return []
  }
  const parts = search.slice(1).split('&')
  return parts
    .filter((part) => !isDecodable(part))
    .slice(0, ISSUES_MAX)
    .map((part) => {
      const [name = ''] = new URLSearchParams(part).keys()
      const message = 'is not UTF-8 in percent-encoding; write a percent sign as %25'
      return { path: `query.${name}`, code: 'invalid_encoding', message }
    })
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The names and values of a query. */
type Pairs = readonly (readonly [name: string, value: string])[]

/** Unknown parameters, parameters given twice, and characters that no text may contain. */
function queryIssues(schema: z.ZodObject | undefined, pairs: Pairs): readonly Issue[] {
  const names = pairs.map(([name]) => name)
  const known = schema?.shape ?? {}
  const issues = [...new Set(names)].flatMap((name) => {
    const path = `query.${name}`
    if (!Object.hasOwn(known, name)) {
      return [{ path, code: 'unknown_field', message: 'is not a parameter of this operation' }]
    }
    if (names.indexOf(name) !== names.lastIndexOf(name)) {
      return [{ path, code: 'duplicate', message: 'is given more than once' }]
    }
    // The database cannot store it, and a JSON body with it is refused too.
    return pairs.some(([one, value]) => one === name && value.includes('\0'))
      ? [{ path, code: 'invalid_format', message: 'must not contain the character U+0000' }]
      : []
  })
  return issues.slice(0, ISSUES_MAX)
}
