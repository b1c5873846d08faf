/**
 * Standing as a policy backend of Microsoft's agent-governance-toolkit: an action of another agent is
 * allowed, reviewed or denied by what is known of that agent.
 */
import type { Standing } from '@standing/sdk'

export type BackendDecision = 'allow' | 'deny' | 'review'

/** A backend for `registerBackend` of its PolicyEngine. */
export function standingBackend(standing: Standing) {
  async function decide(subject: unknown, action: string, context: Record<string, unknown>) {
    if (typeof subject !== 'string' || subject === '') {
      // Without a name nothing is known: the toolkit's own rules decide with a person.
      return 'review' as const
    }
    const { amount } = context
    const { decision } = await standing.decisions.decide({
      identifier: subject,
      action,
      ...(typeof amount === 'number' ? { amount } : {}),
    })
    return decision
  }
  return {
    name: 'standing',
    /** The agent is `agentDid` of the context. */
    evaluateAction: (action: string, context: Record<string, unknown>): Promise<BackendDecision> =>
      decide(context.agentDid, action, context),
    evaluatePolicy: (
      agentDid: string,
      context: Record<string, unknown>,
    ): Promise<BackendDecision> => decide(agentDid, String(context.action ?? 'act'), context),
  }
}
