import type { Rule } from './rule.ts'

/** An event whose data says the opposite of its type: one of the two is wrong, so neither counts. */
export const contradictory: Rule = {
  id: 'contradictory_data',
  summary: 'The data says the opposite of what the type says.',
  inspect({ type, data }) {
    switch (type) {
      case 'task.completed':
        return data.success === false
          ? 'The task is said to be completed and to have failed.'
          : null
      case 'task.failed':
      case 'task.timeout':
        return data.success === true ? `A ${type} event says that the task succeeded.` : null
      case 'payment.completed':
        return (data.daysLate ?? 0) > 0
          ? 'The payment is said to be completed and to be late; report it as payment.late.'
          : null
      case 'payment.late':
        return data.daysLate === 0 ? 'The payment is said to be late, by no days.' : null
      default:
        return null
    }
  },
}
