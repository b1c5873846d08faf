/**
 * A platform reports what an agent did.
 *
 *   STANDING_URL=http://127.0.0.1:8080 PLATFORM_KEY=avp_… \
 *     node scripts/run.mjs examples/report-events.ts AGENT_ID
 */
import { Standing } from '@standing/sdk'

const { STANDING_URL = 'http://127.0.0.1:8080', PLATFORM_KEY } = process.env
const [agentId] = process.argv.slice(2)
if (!agentId || !PLATFORM_KEY) {
  throw new Error(
    'Usage: PLATFORM_KEY=avp_… node scripts/run.mjs examples/report-events.ts AGENT_ID',
  )
}

const platform = new Standing({ baseUrl: STANDING_URL, apiKey: PLATFORM_KEY })

// Your own names for the events: sent twice, after a crash of yours say, they count once.
const report = await platform.events.report(agentId, [
  { type: 'task.completed', data: { duration: 4_200, success: true }, externalId: 'task-1' },
  { type: 'payment.completed', data: { amount: 120, currency: 'EUR' }, externalId: 'order-1' },
  { type: 'task.failed', data: { errorCode: 'TIMEOUT' }, externalId: 'task-2' },
])

console.log(`${report.accepted} taken in, ${report.rejected} refused`)
for (const { index, message } of report.errors) {
  console.log(`  event ${index}: ${message}`)
}
for (const event of report.data) {
  if (event?.isQuarantined) {
    console.log(`  ${event.id} is held: ${event.quarantineReason}`)
  }
}
