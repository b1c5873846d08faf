import { notFound, TrustError } from '../domain/error.ts'
import type { Endpoint } from './endpoint.ts'
import type { Response } from './response.ts'
import type { Match } from './router.ts'

/** Characters that no target of a request has (RFC 3986). */
const NOT_IN_TARGETS = /[^\x21-\x7e]|["<>\\^`{|}]/

/** Under it errors are always JSON. */
const API_PREFIX = '/v1/'

/** The response to a request that no endpoint takes: 400, 404, 405, or the methods for OPTIONS. */
export function fallbackFor(method: string, path: string, match: Match<Endpoint> | null): Endpoint {
  if (match === null) {
    const isForPeople = !path.startsWith(API_PREFIX)
    return { ...(NOT_IN_TARGETS.test(path) ? MALFORMED : NOT_FOUND), isForPeople }
  }
  const routes = [...match.methods.values()].map(({ route }) => route)
  const isPublic = routes.some((route) => route.isPublic)
  const isForPeople = routes.every((route) => route.isForPeople)
  const allow = [...match.methods.keys(), 'OPTIONS'].sort().join(', ')
  const common = { ...NONE, isPublic, isForPeople }
  return method === 'OPTIONS'
    ? { ...common, admission: 'unmetered', handle: async () => preflight(allow, isPublic) }
    : { ...common, handle: () => Promise.reject(methodNotAllowed(allow)) }
}

const NONE = {
  method: '',
  path: '',
  name: 'none',
  admission: 'caller',
  queue: 'none',
  writes: false,
  isPublic: false,
  isForPeople: true,
} as const

const NOT_FOUND: Endpoint = { ...NONE, handle: () => Promise.reject(notFound('path')) }

const MALFORMED: Endpoint = {
  ...NONE,
  handle: () =>
    Promise.reject(
      new TrustError('VALIDATION_ERROR', 'the path contains characters that a path cannot have'),
    ),
}

function methodNotAllowed(allow: string): TrustError {
  return new TrustError('METHOD_NOT_ALLOWED', `this path accepts ${allow}`, { allow })
}

/** How long a browser may remember the answer to a preflight request. */
const PREFLIGHT_MAX_AGE_SECONDS = 86_400

function preflight(allow: string, isPublic: boolean): Response {
  if (!isPublic) {
    return { status: 204, headers: { allow } }
  }
  const headers = {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers':
      'authorization, content-type, idempotency-key, if-none-match, standing-mode, x-api-key',
    'access-control-max-age': String(PREFLIGHT_MAX_AGE_SECONDS),
  }
  return { status: 204, headers }
}
