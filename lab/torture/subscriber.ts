import { httpReceiver } from '../../src/outbound/testing/receiver.ts'

/** Receives webhooks and records the events that they are about. */
export interface Subscriber {
  readonly url: string
  isDelivered(eventId: string): boolean
  close(): Promise<void>
}

export async function startSubscriber(): Promise<Subscriber> {
  const delivered = new Set<string>()
  const receiver = await httpReceiver(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) {
      chunks.push(chunk as Buffer)
    }
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      type: string
      data: { eventId?: string }
    }
    if (type === 'event.ingested' && data.eventId !== undefined) {
      delivered.add(data.eventId)
    }
    response.end()
  })
  return {
    url: `http://127.0.0.1:${receiver.port}/`,
    isDelivered: (eventId) => delivered.has(eventId),
    close: receiver.close,
  }
}
