/** A message of a stream of server-sent events. */
export interface Message {
  readonly event: string
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

export interface OpenStream {
  readonly response: Response
  /** The next message; null when the stream has ended. */
  next(): Promise<Message | null>
  close(): void
}

export async function openStream(
  url: string,
  credential: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<OpenStream> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${credential}`, ...headers },
  })
  if (!response.ok || !response.body) {
    return { response, next: async () => null, close() {} }
  }
  const reader = response.body.getReader()
  const messages = messagesOf(reader)
  return {
    response,
    next: async () => (await messages.next()).value ?? null,
    close: () => void reader.cancel().catch(() => {}),
  }
}

async function* messagesOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): AsyncGenerator<Message, null> {
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    const { value, done } = await reader.read()
    if (done) {
      return null
    }
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const [event, data] = [fieldOf(block, 'event'), fieldOf(block, 'data')]
      if (event !== undefined && data !== undefined) {
        yield { event, id: fieldOf(block, 'id'), data: JSON.parse(data) }
      }
    }
  }
}

function fieldOf(block: string, name: string): string | undefined {
  const line = block.split('\n').find((one) => one.startsWith(`${name}: `))
  return line?.slice(name.length + 2)
}
