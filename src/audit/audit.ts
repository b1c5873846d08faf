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
    case 'owner':
      return { kind, id: caller.ownerId }
    case 'agent':
      return { kind, id: caller.agentId }
    case 'platform':
      return { kind, id: caller.platformId }
    case 'operator':
      return { kind, id: caller.operatorId }
  }
}
