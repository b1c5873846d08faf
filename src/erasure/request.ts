import { audit } from '../audit/audit.ts'
import type { Caller } from '../domain/caller.ts'
import { invalidField, notFound } from '../domain/error.ts'
import { isTestId, testIdOf } from '../domain/mode.ts'
import { changeStatus } from '../identity/agents.ts'
import { existingOwner } from '../identity/owners.ts'
import type { Sources } from '../lib/sources.ts'
import type { Erasure, Store } from '../store/store.ts'

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
  const target = { kind: 'agent', id: agentId }
  const subject = { subjectId: agentId, kind: 'agent', ownerId: agent.ownerId } as const
  return begin(within, sources, { ...subject, relatedIds: [] }, { caller, target })
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
  if (!isTestId(ownerId) && (await within.owners.find({ id: testIdOf(ownerId) }))) {
    await eraseOwner(within, sources, caller, testIdOf(ownerId))
  }
  const relatedIds = await within.erasures.eraseAccount(ownerId, sources.now())
  const target = { kind: 'owner', id: ownerId }
  const subject = { subjectId: ownerId, kind: 'owner', ownerId } as const
  return begin(within, sources, { ...subject, relatedIds }, { caller, target })
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
  sources: Sources,
  subject: Omit<Erasure, 'createdAt' | 'finishedAt'>,
  { caller, target }: { readonly caller: Caller; readonly target: { kind: string; id: string } },
): Promise<Erasure> {
  const erasure = { ...subject, createdAt: sources.now(), finishedAt: null }
  await within.erasures.insert(erasure)
  await audit(within, sources, caller, { action: `${subject.kind}.erased`, target })
  return erasure
}
