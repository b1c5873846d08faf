import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it as test } from 'vitest'
import { createProject } from './project.ts'
import { type Answer, type Received, serve } from './server.ts'

const project = await createProject('code')

let programs = 0

/** A program that adds three events to a buffer, where they would wait for a minute, and then ends so. */
async function program(end: string, closeTimeoutMs = 10_000): Promise<string> {
  const name = `program-${++programs}.js`
  const code = `
    import { EventBuffer, Standing } from '@standing/sdk'
    const client = new Standing({ baseUrl: process.argv[2], apiKey: 'avp_x', retriesMax: 0 })
    const buffer = new EventBuffer(client, {
      flushAfterMs: 60_000,
      closeTimeoutMs: ${closeTimeoutMs},
      onRejected: (rejected) => {
        for (const { event, error } of rejected) console.log(event.externalId, error.code)
      },
    })
    for (const externalId of ['1', '2', '3'])
      await buffer.add('a', { type: 'task.completed', externalId })
    ${end}`
  await project.write(name, code)
  return name
}

const STAY = 'const timer = setInterval(() => undefined, 60_000)'
const RUNNING = `${STAY}; console.log('running')`

/** The program's lines, once it runs. */
async function running(name: string, baseUrl: string) {
  const child = project.start(name, [baseUrl])
  const exited = once(child, 'exit')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  await lines.next()
  return { child, exited, lines }
}

const accepted = ({ body }: Received): Answer => {
  const { events } = body as { events: readonly object[] }
  const answer = { accepted: events.length, rejected: 0, errors: [], data: events }
  return { status: 200, body: answer }
}
const ids = (received: readonly Received[]) =>
  received.flatMap(({ body }) =>
    (body as { events: readonly { externalId: string }[] }).events.map((one) => one.externalId),
  )

describe('a process that ends with events in a buffer', () => {
  test('sends them first when nothing else keeps it running', async () => {
    const server = await serve(accepted)
    expect(await project.node(await program(''), [server.baseUrl])).toBe('')
    expect(ids(server.received)).toEqual(['1', '2', '3'])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'sends them first on %s, and then ends by that signal',
    async (signal) => {
      const server = await serve(accepted)
      const { child, exited } = await running(await program(RUNNING), server.baseUrl)
      child.kill(signal)
      expect(await exited).toEqual([null, signal])
      expect(ids(server.received)).toEqual(['1', '2', '3'])
    },
  )

  test('ends as the program decides when it handles the signal itself', async () => {
    const server = await serve(accepted)
    const name = await program(`
      process.on('SIGTERM', async () => {
        const { accepted } = await buffer.close()
        console.log(accepted)
        process.exitCode = 7
        clearInterval(timer)
      })
      ${RUNNING}`)
    const { child, exited, lines } = await running(name, server.baseUrl)
    child.kill('SIGTERM')
    expect((await lines.next()).value).toBe('3')
    expect(await exited).toEqual([7, null])
  })

  test('names each unsent event when the program calls process.exit', async () => {
    const server = await serve(accepted)
    const printed = await project.node(await program('process.exit(0)'), [server.baseUrl])
    expect(printed).toBe('1 NOT_DELIVERED\n2 NOT_DELIVERED\n3 NOT_DELIVERED\n')
    expect(server.received).toHaveLength(0)
  })

  test('does not wait for an unavailable service, and names each unsent event', async () => {
    const server = await serve(() => ({ status: 503 }))
    const printed = await project.node(await program('', 50), [server.baseUrl])
    expect(printed).toBe('1 NOT_DELIVERED\n2 NOT_DELIVERED\n3 NOT_DELIVERED\n')
  })
})
