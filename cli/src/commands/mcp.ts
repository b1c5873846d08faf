import { once } from 'node:events'
import { VERSION } from '../../../src/version.ts'
import { credentialsOf, serviceUrl } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { fetchOf } from '../http/fetch.ts'
import { remoteContext } from '../http/remote-context.ts'
import type { MCP_OPTIONS } from '../table/tools.ts'

export async function mcp(
  { options }: InputOf<typeof MCP_OPTIONS>,
  terminal: Session,
): Promise<number> {
  const url = serviceUrl(terminal, options)
  // Not the operator's key: a model gets no more rights than its tools need.
  const { apiKey, token } = credentialsOf(terminal, options)
  const key = apiKey ?? token ?? null
  const [{ serveStdio }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    import('../../../src/mcp/server.ts'),
  ])
  const context = remoteContext({ url, key, fetch: fetchOf(terminal) })
  const handle = serveStdio(() =>
    createMcpServer({
      version: VERSION,
      websiteUrl: `${url}/docs`,
      context,
      // Standard output carries the protocol.
      onFault: (error) => void terminal.stderr.write(`${String(error)}\n`),
    }),
  )
  await ended(terminal.signal)
  await handle.close()
  return 0
}

/** The client closes the input when it is done. */
async function ended(signal: AbortSignal | undefined): Promise<void> {
  const stopped = signal ? [once(signal, 'abort')] : []
  await Promise.race([once(process.stdin, 'close'), once(process.stdin, 'end'), ...stopped])
}
