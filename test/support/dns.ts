import { createSocket } from 'node:dgram'
import { decode, encode, RECURSION_DESIRED, type TxtAnswer } from 'dns-packet'
import { atEnd } from './at-end.ts'

/** A DNS server on loopback with TXT records alone, closed when the test file is done. */
export async function startDns() {
  const records = new Map<string, readonly string[]>()
  let isSilent = false
  const socket = createSocket('udp4')
  socket.on('message', (bytes, { address, port }) => {
    if (isSilent) {
      return
    }
    const { id, questions = [] } = decode(bytes)
    const answers = questions.flatMap(({ name, type }): TxtAnswer[] =>
      type === 'TXT'
        ? (records.get(name.toLowerCase()) ?? []).map((data) => ({ type, name, ttl: 1, data }))
        : [],
    )
    const isKnown = questions.some(({ name }) => records.has(name.toLowerCase()))
    const NAME_ERROR = 3
    const flags = RECURSION_DESIRED | (isKnown ? 0 : NAME_ERROR)
    socket.send(encode({ type: 'response', id: id ?? 0, flags, questions, answers }), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  atEnd(() => void socket.close())
  return {
    server: `127.0.0.1:${socket.address().port}`,
    set: (name: string, ...texts: readonly string[]) => void records.set(name, texts),
    remove: (name: string) => void records.delete(name),
    /** Whether queries are left without an answer from now on. */
    silence(silent: boolean) {
      isSilent = silent
    },
  }
}
