/** A request by hand, for what the SDK would not let pass. */
export async function send(
  url: string,
  init: {
    readonly method?: string
    readonly key?: string
    readonly json?: unknown
    readonly headers?: Readonly<Record<string, string>>
  } = {},
) {
  const { method = init.json === undefined ? 'GET' : 'POST', key, json, headers } = init
  const response = await fetch(url, {
    method,
    headers: {
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
  const body = (text === '' ? undefined : JSON.parse(text)) as any
  return { status: response.status, headers: response.headers, body, text }
}

/** What a call of the SDK was refused with. */
export async function refusal(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    const { status, code, message, details } = error as {
      status: number
      code: string
      message: string
      // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
      details: any
    }
    return { status, code, message, details }
  }
  throw new Error('expected to be refused')
}
