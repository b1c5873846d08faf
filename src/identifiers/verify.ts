import { auditEntry } from '../audit/audit.ts'
import type { Caller } from '../domain/caller.ts'
import { invalidField, notFound, TrustError } from '../domain/error.ts'
import {
  type Identifier,
  isAnswered,
  lapsedNow,
  type Proof,
  type ProofProblem,
  verifiedNow,
} from '../domain/identifier.ts'
import { modeOf } from '../domain/mode.ts'
import { identifierNotification } from '../domain/notification.ts'
import type { Sources } from '../lib/sources.ts'
import type { AuditRow, FindOptions, Store } from '../store/store.ts'
import { IDENTIFIERS_MAX } from './claim.ts'
import type { Reading } from './kind.ts'
import { checkAgain, isCheckable, prove } from './prove.ts'

/** Who changes a name, with the clock and the ids for its entry in the audit log. */
export interface Author extends Sources {
  readonly caller: Caller | 'system'
}

/** @throws NOT_FOUND */
export async function existingIdentifier(
  store: Store,
  { agentId, id }: Pick<Identifier, 'agentId' | 'id'>,
  options?: FindOptions,
): Promise<Identifier> {
  const identifier = await store.identifiers.find({ agentId, id }, options)
  if (!identifier) {
    throw notFound('identifier')
  }
  return identifier
}

/** A proof that was checked, before anything is written. */
export interface Proven {
  readonly proof: Proof
  /** The identifier of another agent that this proof displaces. */
  readonly displaced: string | null
}

/**
 * Checks the proof of a claim. It may take seconds, so no transaction is open meanwhile. Where another
 * agent has the name, that one's proof is checked as well: while it holds, the name stays there.
 */
export async function proveClaim(
  { store, reading }: { readonly store: Store; readonly reading: Reading },
  identifier: Identifier,
  signature: string | undefined,
): Promise<Proven> {
  const proven = await prove(reading, identifier, signature)
  if ('problem' in proven) {
    throw refused(proven.problem, signature !== undefined)
  }
  const holder = await store.identifiers.find({
    verified: identifier.value,
    mode: modeOf(identifier.agentId),
  })
  if (!holder || holder.id === identifier.id) {
    return { proof: proven.proof, displaced: null }
  }
  if (!(await isGone(store, reading, holder))) {
    throw taken()
  }
  return { proof: proven.proof, displaced: holder.id }
}

async function isGone(store: Store, reading: Reading, holder: Identifier): Promise<boolean> {
  if ((await store.agentStates.find({ agentId: holder.agentId }))?.status === 'deactivated') {
    return true
  }
  const problem = await checkAgain(reading, holder)
  return problem !== null && isAnswered(problem)
}

function refused({ code, message }: ProofProblem, isSigned: boolean): TrustError {
  const isAboutSignature = code === 'signature_invalid' && isSigned
  return invalidField(isAboutSignature ? 'signature' : 'value', message, code)
}

function taken(): TrustError {
  return new TrustError(
    'CONFLICT',
    'another agent has proven this identifier; its owner must delete it there first',
    { reason: 'identifier_taken' },
  )
}

/** Writes down that a name is proven, and that the agent which had it has it no longer. */
export async function recordProof(
  within: Store,
  author: Author,
  identifier: Pick<Identifier, 'agentId' | 'id' | 'value'>,
  { proof, displaced }: Proven,
): Promise<Identifier> {
  const { agentId, id, value } = identifier
  const holder = await within.identifiers.find({ verified: value, mode: modeOf(agentId) })
  const other = holder && holder.id !== id ? holder : null
  if (other && other.id !== displaced) {
    throw taken()
  }
  // States are locked in the order of their ids, as everywhere.
  const ids = [agentId, ...(other ? [other.agentId] : [])].sort()
  for (const one of ids) {
    await within.agentStates.find({ agentId: one }, { lock: 'wait' })
  }
  // Under the lock: meanwhile it may have lapsed, or its agent may have given it up.
  const before = other && (await within.identifiers.find(keyOf(other), { lock: 'wait' }))
  const found = await existingIdentifier(within, identifier, { lock: 'wait' })
  const entries: AuditRow[] = []
  if (before?.status === 'verified') {
    const problem = { code: 'wrong_subject', message: 'another agent has proven it since' } as const
    entries.push(await lapse(within, author, lapsedNow(before, problem, author.now())))
  }
  const verified = verifiedNow(found, proof, isCheckable(found, proof), author.now())
  await within.identifiers.update({ agentId, id }, verified)
  if (found.status !== 'verified') {
    await publish(within, author, 'verified', verified)
    entries.push(entryOf(author, 'identifier.verified', verified))
  }
  // Last, as the head of the audit log is the last lock of every transaction.
  await within.audit.insertAll(entries)
  return verified
}

/**
 * Writes down that a name has lapsed, and answers the entry for the audit log. The caller holds the lock
 * of its agent's state.
 */
export async function lapse(within: Store, author: Author, lapsed: Identifier): Promise<AuditRow> {
  await within.identifiers.update(keyOf(lapsed), lapsed)
  await publish(within, author, 'lapsed', lapsed)
  return entryOf(author, 'identifier.lapsed', lapsed)
}

/** Every verified name of an agent lapses, for one reason. The caller holds the lock of its state. */
export async function lapseAll(
  within: Store,
  author: Author,
  agentId: string,
  problem: ProofProblem,
): Promise<readonly AuditRow[]> {
  const verified = { agentId, status: 'verified' } as const
  const { rows } = await within.identifiers.list(verified, null, IDENTIFIERS_MAX)
  const entries: AuditRow[] = []
  for (const one of rows) {
    entries.push(await lapse(within, author, lapsedNow(one, problem, author.now())))
  }
  return entries
}

/** Notifies the owner of the agent. */
export async function publish(
  within: Store,
  { now }: Sources,
  change: 'verified' | 'failing' | 'lapsed',
  identifier: Identifier,
): Promise<void> {
  const agentState = await within.agentStates.find({ agentId: identifier.agentId })
  if (agentState) {
    const notification = identifierNotification(change, agentState.ownerId, identifier, now())
    await within.notifications.insertAll([notification])
  }
}

/** Gives a name up: it is free for others at once. */
export async function deleteIdentifier(
  within: Store,
  author: Author,
  { agentId, id }: { readonly agentId: string; readonly id: string },
): Promise<void> {
  await within.agentStates.find({ agentId }, { lock: 'wait' })
  const found = await existingIdentifier(within, { agentId, id }, { lock: 'wait' })
  await within.identifiers.delete({ agentId, id })
  if (found.status === 'verified') {
    await within.audit.insertAll([entryOf(author, 'identifier.deleted', found)])
  }
}

function keyOf({ agentId, id }: Identifier): Pick<Identifier, 'agentId' | 'id'> {
  return { agentId, id }
}

function entryOf(
  author: Author,
  action: string,
  { id, agentId, type, value, proof, problem }: Identifier,
): AuditRow {
  const details = { identifierId: id, type, value, method: proof?.method ?? null, problem }
  return auditEntry(author, author.caller, {
    action,
    target: { kind: 'agent', id: agentId },
    details,
  })
}
