import { auditEntry } from '../audit/audit.ts'
import type { Caller } from '../domain/caller.ts'
import { invalidField, notFound } from '../domain/error.ts'
import { testIdOf } from '../domain/mode.ts'
import { changeStatus } from '../identity/agents.ts'
import { existingOwner } from '../identity/owners.ts'
import type { Sources } from '../lib/sources.ts'
import type { AuditRow, Erasure, Store } from '../store/store.ts'

/**
 * Erases an agent. What others may still read is gone when this commits; its history follows in parts
 * (`run.ts`). A repeated request returns the erasure that was begun.
 */
export async function eraseAgent(
  within: Store,
  sources: Sources,
  caller: Caller,
  agentId: string,
): Promise<Erasure> {
  const known = await within.erasures.find({ subjectId: agentId })
  if (known) {
    return known
  }
  const agent = await within.agents.find({ id: agentId })
  if (!agent) {
    throw notFound('agent')
  }
  await removeAgent(within, sources, agentId)
  const subject = { subjectId: agentId, kind: 'agent', ownerId: agent.ownerId } as const
  const erasure = await begin(within, sources, { ...subject, relatedIds: [] })
  await within.audit.insertAll([entryOf(sources, caller, erasure)])
  return erasure
}

/** Erases an account with its people, keys, webhooks and agents, in the same way. */
export async function eraseOwner(
  within: Store,
  sources: Sources,
  caller: Caller,
  ownerId: string,
): Promise<Erasure> {
  // Locked, so that no agent is registered meanwhile.
  await existingOwner(within, ownerId, { lock: 'wait' })
  const known = await within.erasures.find({ subjectId: ownerId })
  if (known) {
    return known
  }
  const testId = testIdOf(ownerId)
  const hasTest = testId !== ownerId && (await isToErase(within, testId))
  const test = hasTest ? await beginOwner(within, sources, testId) : null
  const erasure = await beginOwner(within, sources, ownerId)
  // Last, as the head of the audit log is the last lock of every transaction.
  const begun = [...(test ? [test] : []), erasure]
  await within.audit.insertAll(begun.map((one) => entryOf(sources, caller, one)))
  return erasure
}

/** Whether there is such an account, which is locked then, and its erasure has not begun. */
async function isToErase(within: Store, ownerId: string): Promise<boolean> {
  const owner = await within.owners.find({ id: ownerId }, { lock: 'wait' })
  return owner !== null && (await within.erasures.find({ subjectId: ownerId })) === null
}

async function beginOwner(within: Store, sources: Sources, ownerId: string): Promise<Erasure> {
  const relatedIds = await within.erasures.eraseAccount(ownerId, sources.now())
  return begin(within, sources, { subjectId: ownerId, kind: 'owner', ownerId, relatedIds })
}

/** Deactivates an agent and removes what names it. May run again. */
export async function removeAgent(within: Store, sources: Sources, agentId: string): Promise<void> {
  const agent = await within.agents.find({ id: agentId })
  if (!agent) {
    throw notFound('agent')
  }
  await changeStatus(within, sources, agent, { status: 'deactivated', reason: null })
  await within.erasures.eraseAgent(agentId, sources.now())
}

export async function existingErasure(store: Store, subjectId: string): Promise<Erasure> {
  const erasure = await store.erasures.find({ subjectId })
  if (!erasure) {
    throw notFound('erasure')
  }
  return erasure
}

/** An erasure cannot be undone, so the caller names what is erased. */
export function checkConfirmed(confirm: string, expected: string, what: string): void {
  if (confirm.trim().toLowerCase() !== expected) {
    throw invalidField('confirm', `must be ${what}`, 'not_confirmed')
  }
}

async function begin(
  within: Store,
  { now }: Sources,
  subject: Omit<Erasure, 'createdAt' | 'finishedAt'>,
): Promise<Erasure> {
  const erasure = { ...subject, createdAt: now(), finishedAt: null }
  await within.erasures.insert(erasure)
  return erasure
}

function entryOf(sources: Sources, caller: Caller, { kind, subjectId: id }: Erasure): AuditRow {
  return auditEntry(sources, caller, { action: `${kind}.erased`, target: { kind, id } })
}
