/**
 * A platform reports events as they happen, without waiting for each answer: here, one for each line
 * of the standard input (`AGENT_ID TYPE`).
 *
 *   PLATFORM_KEY=avp_… node scripts/run.mjs examples/buffer-events.ts < events.txt
 */
import { createInterface } from 'node:readline'
import { EventBuffer, type EventInput, Standing } from '@standing/sdk'

const { PLATFORM_KEY } = process.env
if (!PLATFORM_KEY) {
  console.error('Usage: PLATFORM_KEY=avp_… node scripts/run.mjs examples/buffer-events.ts')
  process.exit(2)
}

const client = new Standing({ apiKey: PLATFORM_KEY })
const buffer = new EventBuffer(client, {
  onRejected(rejected) {
    for (const { agentId, event, error } of rejected) {
      console.warn(`${event.type} of ${agentId}: ${error.message}`)
    }
  },
})

for await (const line of createInterface(process.stdin)) {
  const [agentId = '', type = ''] = line.trim().split(/\s+/)
  // Waits while the buffer is full, and so reads no faster than the service takes.
  if (agentId !== '') {
    await buffer.add(agentId, { type } as EventInput)
  }
}

const { accepted, rejected } = await buffer.close()
console.log(`${accepted} accepted, ${rejected} rejected`)
