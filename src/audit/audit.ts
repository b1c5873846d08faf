import type { Caller } from '../domain/caller.ts'
import type { Sources } from '../lib/sources.ts'
import type { AuditRow, Store } from '../store/store.ts'

/** Records what a caller did, in the transaction that does it. */
export function audit(
  within: Store,
  sources: Sources,
  caller: Caller,
  action: string,
  target: AuditRow['target'],
  details: AuditRow['details'] = {},
): Promise<void> {
  return within.audit.insert([auditEntry(sources, caller, action, target, details)])
}

/** The same in a transaction of its own, for an action that has none. */
export function auditAlone(
  store: Store,
  sources: Sources,
  caller: Caller,
  action: string,
  target: AuditRow['target'],
  details: AuditRow['details'] = {},
): Promise<void> {
  return store.transaction((within) => audit(within, sources, caller, action, target, details))
}

/** An entry about what a caller or the service itself did. */
export function auditEntry(
  { now, newId }: Sources,
  caller: Caller | 'system',
  action: string,
  target: AuditRow['target'],
  details: AuditRow['details'] = {},
): AuditRow {
  return { id: newId(), actor: actorOf(caller), action, target, details, createdAt: now() }
}

function actorOf(caller: Caller | 'system'): AuditRow['actor'] {
  if (caller === 'system') {
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
