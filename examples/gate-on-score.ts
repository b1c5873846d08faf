/**
 * A marketplace admits an agent only if its score is high enough for what is at stake.
 *
 *   STANDING_URL=http://127.0.0.1:8080 node scripts/run.mjs examples/gate-on-score.ts AGENT_ID 500
 *
 * The exit code is 0 for an agent that is admitted, 1 for one that is not.
 */
import { Standing } from '@standing/sdk'

const [agentId, dollars = '100'] = process.argv.slice(2)
// `Number('1,000')` is NaN, which is above no limit: such an amount must not admit every agent.
if (!agentId || !(Number(dollars) >= 0)) {
  console.error('Usage: node scripts/run.mjs examples/gate-on-score.ts AGENT_ID [DOLLARS]')
  process.exit(2)
}

// The service at STANDING_URL, or http://127.0.0.1:8080.
const client = new Standing()
const { score, classification, confidence, status } = await client.score.get(agentId)

/** The more there is to lose, the higher the score it takes; what costs little is open to a new agent. */
function needed(amount: number): number {
  if (amount > 1_000) {
    return 800
  }
  if (amount > 100) {
    return 650
  }
  return amount > 10 ? 500 : 0
}

const isTrusted = status === 'active' && score >= needed(Number(dollars))
console.log(
  `${score} (${classification}, ${confidence} confidence): ${isTrusted ? 'admitted' : 'not admitted'}`,
)
process.exitCode = isTrusted ? 0 : 1
