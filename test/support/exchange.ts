import { type Dispatcher, request } from 'undici'

/** Fetch writes these methods in capitals; the others it sends as they are. */
const METHODS: ReadonlySet<string> = new Set(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])

/** Without a body of its own, as `fetch` has it. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304])

/**
 * One request and its whole response, without the web streams of `fetch`, which take most of the
 * processor time of a test. Null for what only `fetch` can send: streams, forms, odd methods.
 */
export async function exchange(
  url: URL,
  method: string,
  { body = null, headers: given, signal }: RequestInit,
): Promise<Response | null> {
  const isPlain = body === null || typeof body === 'string' || body instanceof Uint8Array
  const hasBody = body !== null
  const isBodyAllowed = method !== 'GET' && method !== 'HEAD'
  const headers = new Headers(given)
  if (
    !METHODS.has(method) ||
    !isPlain ||
    (hasBody && !isBodyAllowed) ||
    headers.has('accept-encoding') ||
    signal?.aborted
  ) {
    return null
  }
  if (typeof body === 'string' && !headers.has('content-type')) {
    headers.set('content-type', 'text/plain;charset=UTF-8')
  }
  try {
    const response = await request(url, {
      method: method as 'GET',
      headers: { accept: '*/*', 'user-agent': 'node', ...Object.fromEntries(headers) },
      body: body === null && isBodyAllowed ? '' : body,
      signal: signal ?? null,
    })
    return wholeResponse(url.href, response, await response.body.arrayBuffer())
  } catch (error) {
    throw signal?.aborted ? error : new TypeError('fetch failed', { cause: error })
  }
}

/** A response whose body has arrived: to read it makes no stream. */
function wholeResponse(
  url: string,
  { statusCode: status, headers }: Dispatcher.ResponseData,
  bytes: ArrayBuffer,
): Response {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  )
  const text = async () => new TextDecoder().decode(bytes)
  return Object.defineProperties(new Response(null, { status, headers: lines }), {
    url: { value: url },
    body: { get: () => (WITHOUT_BODY.has(status) ? null : new Blob([bytes]).stream()) },
    text: { value: text },
    json: { value: async () => JSON.parse(await text()) },
    arrayBuffer: { value: async () => bytes },
  })
}
