// Puts the standing of an agent into its A2A agent card, to be run each half hour:
//   STANDING_URL=… node examples/agent-card.mjs AGENT_ID CARD.json > agent-card.json
import { readFileSync } from 'node:fs'

const [agentId, cardPath] = process.argv.slice(2)
if (!cardPath) {
  console.error('Usage: node examples/agent-card.mjs AGENT_ID CARD.json')
  process.exit(2)
}
const service = process.env.STANDING_URL ?? 'http://127.0.0.1:8080'
const response = await fetch(`${service}/v1/agents/${agentId}/attestation`)
if (!response.ok) {
  console.error(await response.text())
  process.exit(1)
}
const { extension } = await response.json()
const card = JSON.parse(readFileSync(cardPath, 'utf8'))
const others = (card.capabilities?.extensions ?? []).filter(({ uri }) => uri !== extension.uri)
const capabilities = { ...card.capabilities, extensions: [...others, extension] }
console.log(JSON.stringify({ ...card, capabilities }, null, 2))
