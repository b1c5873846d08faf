import { invalid } from '../domain/error.ts'
import type { NotificationFilter } from '../domain/notification.ts'
import type { Store, WebhookFormat } from '../store/store.ts'

/** These may come every second, which is too often for mails. */
const NOT_BY_MAIL: readonly NotificationFilter[] = ['*', 'score.changed', 'event.ingested']

/** The types of a subscription, each once. */
export function checkedEvents(
  format: WebhookFormat,
  events: readonly NotificationFilter[],
): readonly NotificationFilter[] {
  const issues = events.flatMap((type, i) =>
    format === 'mail' && NOT_BY_MAIL.includes(type)
      ? [
          {
            path: `events.${i}`,
            code: 'invalid',
            message: `${type} is too frequent to be sent by mail`,
          },
        ]
      : [],
  )
  if (issues.length > 0) {
    throw invalid(issues)
  }
  return unique(events)
}

/** A filter on an unknown agent would silently match nothing. */
export async function checkAgents(
  store: Store,
  ownerId: string,
  agentIds: readonly string[] | null,
): Promise<void> {
  if (agentIds === null) {
    return
  }
  const agentStates = await store.agentStates.findMany(agentIds)
  const watched = await store.watches.watched(ownerId, agentIds)
  const message = 'is neither an agent of this account nor one that it watches'
  const issues = agentIds.flatMap((id, i) =>
    agentStates.get(id)?.ownerId === ownerId || watched.has(id)
      ? []
      : [{ path: `agentIds.${i}`, code: 'invalid', message }],
  )
  if (issues.length > 0) {
    throw invalid(issues)
  }
}

export function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
