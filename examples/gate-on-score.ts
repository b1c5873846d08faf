/**
 * A marketplace lets an agent in only if it is trusted enough for what is at stake.
 *
 *   STANDING_URL=http://127.0.0.1:8080 node scripts/run.mjs examples/gate-on-score.ts AGENT_ID 500
 *
 * Ends with 0 where it is let in, 1 where not.
 */
import { Standing } from '@standing/sdk'

const { STANDING_URL = 'http://127.0.0.1:8080' } = process.env
const [agentId, dollars = '100'] = process.argv.slice(2)
if (!agentId) {
  throw new Error('Usage: node scripts/run.mjs examples/gate-on-score.ts AGENT_ID [DOLLARS]')
}

const client = new Standing({ baseUrl: STANDING_URL })
const { score, classification, confidence, status } = await client.score.get(agentId)

/** The more there is to lose, the better it has to stand; a new agent may do what costs little. */
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
  `${score} (${classification}, ${confidence} confidence): ${isTrusted ? 'let in' : 'kept out'}`,
)
process.exitCode = isTrusted ? 0 : 1
