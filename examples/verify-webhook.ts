/**
 * A receiver of webhooks, on port 3000 or PORT.
 *
 *   WEBHOOK_SECRET=whsec_… node scripts/run.mjs examples/verify-webhook.ts
 */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { verifyWebhookSignature } from '@standing/sdk'

const secret = process.env.WEBHOOK_SECRET
if (!secret) {
  console.error('Usage: set WEBHOOK_SECRET to the secret of the subscription (whsec_…)')
  process.exit(2)
}

// A real service keeps these in its database, with what it did about them.
const seen = new Set<string>()

const server = createServer(async (request, response) => {
  try {
    // The body exactly as received: the signature is over its bytes.
    const body = await bytesOf(request)
    const notification = await verifyWebhookSignature(body, request.headers, secret)
    // Answer first, so that slow work does not count as a failure and is not sent again.
    response.writeHead(204).end()
    if (seen.has(notification.id)) {
      return
    }
    seen.add(notification.id)
    const { type, data } = notification
    if (type !== 'score.changed') {
      return console.log(type, data)
    }
    const { agentId, previousScore, newScore } = data
    console.log(`${agentId} went from ${previousScore} to ${newScore}`)
  } catch (error) {
    // Not signed by the service, or too old: it is of no use to send it again.
    if (!response.headersSent) {
      response.writeHead(400).end()
    }
    console.warn(error instanceof Error ? error.message : error)
  }
})

server.listen(Number(process.env.PORT ?? 3000), () => {
  const { port } = server.address() as AddressInfo
  console.log(`Waiting for notifications on http://127.0.0.1:${port}`)
})

async function bytesOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of request) {
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}
