import type { InspectedEvent, Rule } from '../rule.ts'

/** An event whose data says the opposite of its type: one of the two is wrong, so neither counts. */
export const contradictory: Rule = {
  id: 'contradictory_data',
  summary:
    'The data contradicts the event type or itself, or names a credential that does not exist.',
  severity: 'medium',
  mode: 'quarantine',
  threshold: null,
  inspect({ event }) {
    const sentence = contradictionIn(event)
    return sentence === null ? null : { sentence, evidence: {} }
  },
}

function contradictionIn({
  type,
  data,
  reporter,
  credential,
  needsCredential,
}: InspectedEvent): string | null {
  switch (type) {
    case 'task.completed':
      return data.success === false ? 'The task is said to be completed and to have failed.' : null
    case 'task.failed':
    case 'task.timeout':
      return data.success === true ? `A ${type} event says that the task succeeded.` : null
    case 'payment.completed':
      return (data.daysLate ?? 0) > 0
        ? 'The payment is said to be completed and to be late; report it as payment.late.'
        : null
    case 'credential.issued':
    case 'credential.revoked':
      // What the agent itself says of a credential that does not exist is accepted, and has no weight.
      return needsCredential && !credential && reporter.kind === 'platform'
        ? 'The report names no living credential of this agent (credentialId).'
        : null
    default:
      return null
  }
}
