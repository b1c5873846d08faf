import { connect } from 'node:net'

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** Sends bytes as they are and reads until the other side hangs up; the first final answer of it. */
export function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) })
    socket.setTimeout(10_000, () => socket.destroy(new Error('nobody hung up within 10 s')))
    socket.on('connect', () => socket.write(bytes))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (error) => (chunks.length > 0 ? end() : reject(error)))
    socket.on('close', end)
    function end(): void {
      try {
        resolve(parse(Buffer.concat(chunks).toString('latin1')))
      } catch (error) {
        reject(error)
      }
    }
  })
}

function parse(text: string): RawAnswer {
  const final = text.replace(/^(HTTP\/1\.1 1\d\d [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)+/, '')
  const [head = '', ...rest] = final.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  if (!status) {
    throw new Error(`no answer: ${JSON.stringify(text.slice(0, 200))}`)
  }
  const pairs = lines.map((line): [string, string] => {
    const at = line.indexOf(':')
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
  })
  return { status, headers: new Map(pairs), body: rest.join('\r\n\r\n') }
}
