import { type Issue, invalid } from '../domain/error.ts'
import { parseJson } from './json.ts'
import type { Request } from './request.ts'
import type { Route } from './route.ts'
import { z } from './schema.ts'
import { parseBy, REQUIRED } from './validation-messages.ts'

export interface Parsed {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
  readonly bodyBytes: Uint8Array
}

/** Parses every part of a request by the route's schemas; all that is wrong is said at once. */
export async function parseRequest(
  route: Route,
  request: Request,
  rawParams: Record<string, string>,
): Promise<Parsed> {
  const issues: Issue[] = []
  const part = (name: string, schema: z.ZodType | undefined, value: () => unknown) => {
    if (!schema) {
      return undefined
    }
    const result = parseBy(schema, value())
    if (result.success) {
      return result.data
    }
    issues.push(...issuesOf(name, result.error))
    return undefined
  }
  const params = part('params', route.params, () => rawParams)
  const query = part('query', route.query, () => queryOf(request.search))
  const isRead = route.method === 'get'
  const bodyBytes = isRead ? NO_BYTES : await request.readBody()
  const { body: schema = NOTHING } = route
  const body = part('body', isRead ? undefined : schema, () => bodyOf(schema, request, bodyBytes))
  if (issues.length > 0) {
    throw invalid(issues)
  }
  return { params, query, body, bodyBytes }
}

/** Where an operation takes no body, whoever sends one all the same is told, not passed over. */
const NOTHING = z.strictObject({}).optional()

/** A body may be left out where the schema says so, and only there. */
function bodyOf(schema: z.ZodType, { headers }: Request, bytes: Uint8Array): unknown {
  if (bytes.byteLength === 0 && schema.safeParse(undefined).success) {
    return undefined
  }
  return parseJson(headers, bytes)
}

const NO_BYTES = new Uint8Array()

function queryOf(search: string): Record<string, string> {
  // A parameter given twice counts once, by its last value.
  return Object.fromEntries(new URLSearchParams(search))
}

/** What a schema found wrong, in our words, each thing with the place where it stands. */
export function issuesOf(part: string, error: z.ZodError): readonly Issue[] {
  return error.issues.flatMap((issue) => toIssues(part, issue))
}

type ZodIssue = z.core.$ZodIssue

function toIssues(part: string, issue: ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: pathOf(part, [...issue.path, key]),
      code: 'unknown_field',
      message: 'is not a field of this object',
    }))
  }
  if (issue.code === 'invalid_union') {
    return unionIssues(part, issue)
  }
  return [{ path: pathOf(part, issue.path), code: codeOf(issue), message: issue.message }]
}

/** Of several shapes, the complaint of the one that came closest is the useful one. */
function unionIssues(part: string, issue: ZodIssue & { code: 'invalid_union' }): Issue[] {
  const closest = [...issue.errors].sort((a, b) => a.length - b.length)[0]
  if (!closest || closest.length === 0) {
    return [{ path: pathOf(part, issue.path), code: codeOf(issue), message: issue.message }]
  }
  return closest.flatMap((inner) =>
    toIssues(part, { ...inner, path: [...issue.path, ...inner.path] } as ZodIssue),
  )
}

/** Bodies are named by the field alone (`data.amount`), other parts by where they stand. */
function pathOf(part: string, path: readonly PropertyKey[]): string {
  const dotted = path.map(String).join('.')
  if (part === 'body') {
    return dotted === '' ? 'body' : dotted
  }
  return dotted === '' ? part : `${part}.${dotted}`
}

function codeOf({ code, message }: ZodIssue): string {
  return message === REQUIRED ? 'required' : code
}
