import { once } from 'node:events'
import { ABOUT } from '../../../src/api/about.ts'
import { defineCommand } from '../command.ts'
import { remoteContext } from '../mcp/remote-context.ts'
import { serviceUrl, URL_OPTION } from '../service-url.ts'

export const mcp = defineCommand({
  name: 'mcp',
  operands: [],
  summary: 'Serve the tools of a service to a model, by MCP over standard input and output',
  details:
    'For clients of the Model Context Protocol that start a program. Those that take an address\n' +
    'connect to URL/mcp and need no command. Without a key the tools that read still work.',
  options: [
    URL_OPTION,
    {
      name: 'key',
      value: 'KEY',
      help: 'the API key of an agent, a platform or an owner',
      env: ['STANDING_API_KEY'],
    },
  ],
  example: 'standing mcp --url https://trust.example.com',
  async run({ options }, terminal) {
    const url = serviceUrl(terminal, options).replace(/\/+$/, '')
    const key = options.key || terminal.env.STANDING_API_KEY || null
    const [{ serveStdio }, { createMcpServer }] = await Promise.all([
      import('@modelcontextprotocol/server/stdio'),
      import('../../../src/mcp/server.ts'),
    ])
    const context = remoteContext({ url, key })
    const handle = serveStdio(() =>
      createMcpServer({
        version: ABOUT.version,
        websiteUrl: `${url}/docs`,
        context,
        // Standard output carries the protocol.
        onFault: (error) => void terminal.stderr.write(`${String(error)}\n`),
      }),
    )
    await ended(terminal.signal)
    await handle.close()
    return 0
  },
})

/** The client closes the input when it is done. */
async function ended(signal: AbortSignal | undefined): Promise<void> {
  const stopped = signal ? [once(signal, 'abort')] : []
  await Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), ...stopped])
}
