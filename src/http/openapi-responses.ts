import type { ErrorCode } from '../domain/error.ts'
import { docUrlOf, ERROR_GUIDE } from './error-guide.ts'
import { STATUS } from './errors.ts'
import { type Operation, takesKey } from './route.ts'

interface Header {
  readonly description: string
  readonly required?: boolean
  readonly schema: {
    readonly type: 'string' | 'integer'
    readonly format?: 'uuid'
    readonly example: string | number
  }
}

const text = (description: string, example: string): Header => ({
  description,
  schema: { type: 'string', example },
})

const REQUEST_ID = '01931b66-7d50-7c63-b6f2-3f1a2b3c4d5e'

/** The headers of responses. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of the request in the log.',
    required: true,
    schema: { type: 'string', format: 'uuid', example: REQUEST_ID },
  },
  'RateLimit-Policy': text(
    'Requests (`q`) in a window of seconds (`w`). Absent when the caller has no limit.',
    '"rpm";q=100;w=60',
  ),
  RateLimit: text(
    'Requests left (`r`), and the seconds until the window ends (`t`).',
    '"rpm";r=99;t=42',
  ),
  ETag: text('The version of this response, for If-None-Match.', '"5-01931b66"'),
  'Cache-Control': text('How long the response may be cached.', 'public, max-age=30'),
  'Idempotent-Replayed': text('`true` on the stored response to a repeated request.', 'true'),
  'Retry-After': {
    description: 'Seconds to wait.',
    required: true,
    schema: { type: 'integer', example: 42 },
  },
  'WWW-Authenticate': text('The accepted ways to authenticate.', 'Bearer, ApiKey'),
} as const satisfies Record<string, Header>

type HeaderName = keyof typeof HEADERS

const ALWAYS: readonly HeaderName[] = ['X-Request-Id', 'RateLimit-Policy', 'RateLimit']

/** References to the headers of a successful response. */
export function headersOf(route: Operation) {
  const { isPublic, method } = route
  const own: HeaderName[] = []
  if (isPublic && method === 'get') {
    own.push('ETag', 'Cache-Control')
  }
  if (takesKey(route)) {
    own.push('Idempotent-Replayed')
  }
  return refsTo([...ALWAYS, ...own])
}

function refsTo(names: readonly HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The error responses, by status: their meaning and examples. */
export function errorComponents(statuses: readonly number[]): Readonly<Record<string, object>> {
  return Object.fromEntries(statuses.map((status) => [nameOf(status), errorComponent(status)]))
}

export function errorResponseRef(status: number) {
  return { $ref: `#/components/responses/${nameOf(status)}` } as const
}

/** An error response of an operation whose clients may use Protocol Buffers of this media type. */
export function errorResponseWithRpc(status: number, rpcType: string) {
  const { content, ...response } = errorComponent(status)
  const schema = {
    type: 'string',
    description: 'A `google.rpc.Status` with its `message`.',
  } as const
  return { ...response, content: { ...content, [rpcType]: { schema } } }
}

function errorComponent(status: number) {
  const codes = codesOf(status)
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_GUIDE[code].meaning}`).join('\n\n'),
    headers: refsTo([...ALWAYS, ...errorHeaders(status)]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: errorExample(code) }])),
      },
    },
  }
}

function errorHeaders(status: number): readonly HeaderName[] {
  if (status === STATUS.AUTHENTICATION_REQUIRED) {
    return ['WWW-Authenticate']
  }
  const mayWait = [STATUS.RATE_LIMIT_EXCEEDED, STATUS.SERVICE_UNAVAILABLE] as const
  return mayWait.some((one) => one === status) ? ['Retry-After'] : []
}

/** An example of an error response. */
export function errorExample(code: ErrorCode): object {
  const { message, details } = ERROR_GUIDE[code].example
  const all = { ...details, requestId: REQUEST_ID, docUrl: docUrlOf(code) }
  return { error: { code, message, details: all } }
}

function codesOf(status: number): readonly ErrorCode[] {
  return (Object.keys(STATUS) as ErrorCode[]).filter((code) => STATUS[code] === status)
}

/** The name of the component of a status: `NotFound` for `NOT_FOUND`. */
function nameOf(status: number): string {
  const words = (codesOf(status)[0] ?? '').toLowerCase().split('_')
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}
