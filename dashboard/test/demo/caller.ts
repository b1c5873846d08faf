/** Somebody who speaks to the service with a key or a token. */
export interface Caller {
  readonly credential: string | null
  post(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>>
  put(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>>
  patch(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>>
  delete(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>>
  get(path: string): Promise<Readonly<Record<string, unknown>>>
}

export function callAs(url: string, credential: string | null): Caller {
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        ...(credential ? { authorization: `Bearer ${credential}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (response.ok) {
      return answer
    }
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`)
  }
  return {
    credential,
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path, body) => call('DELETE', path, body),
    get: (path) => call('GET', path),
  }
}
