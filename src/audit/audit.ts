import type { Caller } from '../domain/caller.ts'
import type { Sources } from '../lib/sources.ts'
import type { AuditRow, Store } from '../store/store.ts'

/** Who acts: a caller, the service itself, or its set-up. */
type Actor = Caller | 'system' | 'setup'

/** What was done, and to what. */
interface Audited extends Pick<AuditRow, 'action' | 'target'> {
  /** None by default. */
  readonly details?: AuditRow['details']
}

/** Records what was done, in the transaction that does it. */
export function audit(
  within: Store,
  sources: Sources,
  actor: Actor,
  audited: Audited,
): Promise<void> {
  return within.audit.insertAll([auditEntry(sources, actor, audited)])
}

/** Records what was done in a transaction of its own, for an action that has none. */
export function auditAlone(
  store: Store,
  sources: Sources,
  caller: Caller,
  audited: Audited,
): Promise<void> {
  return store.transaction((within) => audit(within, sources, caller, audited))
}

export function auditEntry(
  { now, newId }: Sources,
  actor: Actor,
  { action, target, details = {} }: Audited,
): AuditRow {
  return { id: newId(), actor: actorOf(actor), action, target, details, createdAt: now() }
}

function actorOf(caller: Actor): AuditRow['actor'] {
  if (caller === 'system' || caller === 'setup') {
    return { kind: caller, id: null }
  }
  const { kind } = caller
  switch (kind) {
    case 'anonymous':
      return { kind, id: caller.address }
    case 'owner': {
      const { by, ownerId } = caller
      // The person who opened the account has its id, and is the owner.
      return by.id === ownerId ? { kind, id: ownerId } : { kind: by.kind, id: by.id }
    }
    case 'agent':
      return { kind, id: caller.agentId }
    case 'platform':
      return { kind, id: caller.platformId }
    case 'operator':
      return { kind, id: caller.operatorId }
  }
}
