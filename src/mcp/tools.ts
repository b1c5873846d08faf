import type { Tool } from './tool.ts'
import { checkTrust } from './tools/check-trust.ts'
import { compareAgents } from './tools/compare-agents.ts'
import { decide } from './tools/decide.ts'
import { explainScore } from './tools/explain-score.ts'
import { listEvents } from './tools/list-events.ts'
import { lookupAgent } from './tools/lookup-agent.ts'
import { reportEvent } from './tools/report-event.ts'
import { verifyCredential } from './tools/verify-credential.ts'

/** Every tool, in the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  checkTrust,
  explainScore,
  compareAgents,
  lookupAgent,
  decide,
  reportEvent,
  listEvents,
  verifyCredential,
]
