/**
 * A platform reports what an agent did.
 *
 *   STANDING_URL=http://127.0.0.1:8080 PLATFORM_KEY=avp_… \
 *     node scripts/run.mjs examples/report-events.ts AGENT_ID
 */
import { Standing } from '@standing/sdk'

const { PLATFORM_KEY } = process.env
const [agentId] = process.argv.slice(2)
if (!agentId || !PLATFORM_KEY) {
  console.error('Usage: PLATFORM_KEY=avp_… node scripts/run.mjs examples/report-events.ts AGENT_ID')
  process.exit(2)
}

// The service at STANDING_URL, or http://127.0.0.1:8080.
const client = new Standing({
  apiKey: PLATFORM_KEY,
  onWait: ({ reason, seconds }) => console.warn(`waiting ${seconds.toFixed(1)} s: ${reason}`),
})

// Your own names for the events: reported twice, after a crash of yours for example, they count once.
const report = await client.events.report(agentId, [
  {
    type: 'task.completed',
    data: { duration: 4_200, success: true },
    externalId: 'report-events-task-1',
  },
  {
    type: 'payment.completed',
    data: { amount: 120, currency: 'EUR' },
    externalId: 'report-events-order-1',
  },
  { type: 'task.failed', data: { errorCode: 'TIMEOUT' }, externalId: 'report-events-task-2' },
])

console.log(`${report.accepted} accepted, ${report.rejected} rejected`)
for (const { index, message } of report.errors ?? []) {
  console.log(`  event ${index}: ${message}`)
}
for (const event of report.data) {
  if (event?.isQuarantined) {
    console.log(`  ${event.id} is quarantined: ${event.quarantineReason}`)
  }
}
