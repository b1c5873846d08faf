import { lockOwnAgent } from '../auth/access.ts'
import { issueKey } from '../auth/rotate-key.ts'
import { revokeTransferred } from '../credentials/revocation.ts'
import type { Agent } from '../domain/agent.ts'
import type { CallerOf } from '../domain/caller.ts'
import { forbidden, invalidField, notFound, TrustError } from '../domain/error.ts'
import { transferNotifications } from '../domain/notification.ts'
import { scoringTime } from '../domain/time.ts'
import {
  TRANSFER_MS,
  type Transfer,
  type TransferStatus,
  transferStatusAt,
} from '../domain/transfer.ts'
import { lapseAll } from '../identifiers/verify.ts'
import { type Recorder, recordOwnEvent } from '../ingest/record-reports.ts'
import type { Sources } from '../lib/sources.ts'
import type { AgentState, AuditRow, OwnerRow, Store, TransferParty } from '../store/store.ts'
import { checkAgentLimit, checkInUse, checkRegistrations, initialCeiling } from './agents.ts'
import { existingOwner } from './owners.ts'

/** To whom an agent is offered: one of the two. */
interface Recipient {
  readonly toOwnerId?: string | null | undefined
  readonly toOwnerEmail?: string | null | undefined
}

interface Offer extends Recipient {
  readonly ownerId: string
  readonly agentId: string
}

/** Offers an agent to another owner. Until that owner accepts, nothing changes. */
export async function offerAgent(
  within: Store,
  { now, newId }: Sources,
  { ownerId, agentId, toOwnerId = null, toOwnerEmail = null }: Offer,
): Promise<Transfer> {
  const { agent } = await lockOwnAgent(within, ownerId, agentId)
  checkInUse(agent)
  await checkChildless(within, agentId)
  const own = await within.owners.find({ id: ownerId })
  await checkRecipient(within, own, { toOwnerId, toOwnerEmail })
  const at = now()
  const transfer: Transfer = {
    id: newId(),
    agentId,
    agentName: agent.displayName,
    fromOwnerId: ownerId,
    fromOwnerName: own?.name ?? null,
    toOwnerId,
    toEmail: toOwnerEmail,
    status: 'pending',
    createdAt: at,
    expiresAt: at + TRANSFER_MS,
    endedAt: null,
  }
  if (!(await within.transfers.insert(transfer))) {
    throw new TrustError('CONFLICT', 'this agent is on offer already; withdraw that offer first', {
      reason: 'transfer_pending',
    })
  }
  return transfer
}

/** Does not say whether an account has the e-mail. An unknown id is refused: ids cannot be guessed. */
async function checkRecipient(
  within: Store,
  own: OwnerRow | null,
  { toOwnerId, toOwnerEmail }: Recipient,
): Promise<void> {
  if (toOwnerId && toOwnerId === own?.id) {
    throw invalidField('toOwnerId', 'is the owner of the agent')
  }
  if (toOwnerEmail && toOwnerEmail === own?.email) {
    throw invalidField('toOwnerEmail', 'is the owner of the agent')
  }
  if (toOwnerId && (await within.owners.find({ id: toOwnerId }))?.status !== 'active') {
    throw notFound('owner')
  }
}

/** The side of an account in an offer. Other accounts get NOT_FOUND. */
export async function partyOf(store: Store, ownerId: string): Promise<TransferParty> {
  const owner = await store.owners.find({ id: ownerId })
  return { ownerId, email: owner?.email ?? '' }
}

/** An offer that the account made or was made. */
export async function existingTransfer(
  store: Store,
  { ownerId, email }: TransferParty,
  id: string,
): Promise<Transfer> {
  const transfer = await store.transfers.find({ id })
  const isParty =
    transfer &&
    (transfer.fromOwnerId === ownerId ||
      transfer.toOwnerId === ownerId ||
      transfer.toEmail === email)
  if (!isParty) {
    throw notFound('transfer')
  }
  return transfer
}

/** Whether the service sends mail, so that people can confirm their addresses. */
interface MailSetting {
  readonly sendsMail: boolean
}

interface OfferEnd extends MailSetting {
  readonly ownerId: string
  /** Of the transfer. */
  readonly id: string
  readonly status: 'declined' | 'withdrawn'
}

/** Ends an offer without a transfer: one side withdraws it, or the other declines it. */
export async function endOffer(
  within: Store,
  { now }: Sources,
  { ownerId, id, status, sendsMail }: OfferEnd,
): Promise<Transfer> {
  const { transfer, isOwn } = await pendingTransfer(within, ownerId, id, now())
  if (isOwn !== (status === 'withdrawn')) {
    throw isOwn ? madeByCaller() : forbidden('only the account that made the offer can withdraw it')
  }
  await (status === 'declined' && checkAddress(within, transfer, { ownerId, sendsMail }))
  return end(within, id, { status, endedAt: now() })
}

/** Anyone can register an address. An offer to it is for the person who reads its mail. */
async function checkAddress(
  within: Store,
  { toEmail }: Transfer,
  { ownerId, sendsMail }: MailSetting & { readonly ownerId: string },
): Promise<void> {
  if (!sendsMail || toEmail === null) {
    return
  }
  // The address of an account is that of the person who opened it.
  const person = await within.members.find({ id: ownerId })
  if (person?.emailConfirmedAt == null) {
    throw forbidden(
      'the agent is offered to an e-mail address that is not confirmed yet: open the link in the mail that you ' +
        'got when you registered, or ask for another one by POST /v1/auth/email-confirmation',
      { reason: 'email_not_confirmed' },
    )
  }
}

export interface Accepted {
  readonly transfer: Transfer
  readonly agent: Agent
  /** The agent's only key from now on. */
  readonly apiKey: string
  /** Names that the new owner has to prove again. */
  readonly entries: readonly AuditRow[]
}

/**
 * Passes an agent to the account that it was offered to. Its history stays; every key, credential and proof
 * of its former owner ends in the same transaction.
 */
export async function acceptTransfer(
  within: Store,
  recorder: Recorder,
  caller: CallerOf<'owner'>,
  { id, sendsMail }: MailSetting & { readonly id: string },
): Promise<Accepted> {
  const { ownerId } = caller
  const { now } = recorder
  // In the order of all transactions: the owner, the agent, and then what belongs to them.
  const owner = await existingOwner(within, ownerId, { lock: 'wait' })
  const { transfer, isOwn } = await pendingTransfer(within, ownerId, id, now())
  if (isOwn) {
    throw madeByCaller()
  }
  await checkAddress(within, transfer, { ownerId, sendsMail })
  const { agentId } = transfer
  const agentState = await lockedState(within, transfer)
  checkInUse(agentState)
  await checkChildless(within, agentId)
  await checkSeller(within, transfer)
  await checkAgentLimit(within, ownerId, owner.tier)
  // Otherwise one account would register any number of agents, and others would take and deactivate them.
  await checkRegistrations(within, { ownerId, tier: owner.tier, now: now() })
  const at = scoringTime(agentState, now())
  const ownerScore = await initialCeiling(within, ownerId, at)
  const agent = await within.agents.update(agentId, { ownerId }, at)
  if (!agent) {
    throw notFound('agent')
  }
  const accepted = { ...transfer, toOwnerId: ownerId }
  await recordTransfer(within, recorder, accepted, ownerScore)
  await revokeTransferred(within, agentId, at)
  const entries = await lapseAll(within, { ...recorder, caller }, agentId, {
    code: 'agent_transferred',
    message: 'the agent has another owner, who proves it again',
  })
  // Deleted: the new owner sees nothing of the former owner's keys.
  await within.keys.deleteAll({ principalId: agentId })
  const apiKey = await issueKey(within, { kind: 'agent', id: agentId }, at)
  await within.watches.delete({ holderId: ownerId, agentId })
  await within.notifications.insertAll(transferNotifications(accepted, at))
  const ended = { status: 'accepted', endedAt: at, toOwnerId: ownerId } as const
  return { transfer: await end(within, id, ended), agent, apiKey, entries }
}

/** Ends an offer that is pending and locked. The address is deleted: it is not needed any more. */
async function end(
  within: Store,
  id: string,
  as: Pick<Transfer, 'status' | 'endedAt'> & { readonly toOwnerId?: string },
): Promise<Transfer> {
  const ended = await within.transfers.update({ id, status: 'pending' }, { ...as, toEmail: null })
  if (!ended) {
    throw notFound('transfer')
  }
  return ended
}

/** The reporter is the owner that accepted, as in every event about what an owner did. */
async function recordTransfer(
  within: Store,
  recorder: Recorder,
  { id: transferId, agentId, toOwnerId }: Transfer & { readonly toOwnerId: string },
  ownerScore: number | undefined,
): Promise<void> {
  const platforms = await within.platforms.findAll({ ownerId: toOwnerId })
  const ownPlatforms = platforms.length > 0 ? platforms.map(({ id }) => id) : undefined
  await recordOwnEvent(within, recorder, {
    agentId,
    ownerId: toOwnerId,
    event: { type: 'agent.transferred', data: { transferId, ownerScore, ownPlatforms } },
  })
}

/** @throws FORBIDDEN where the account that made the offer is suspended: it keeps its agents */
async function checkSeller(within: Store, { fromOwnerId }: Transfer): Promise<void> {
  if ((await within.owners.find({ id: fromOwnerId }))?.status !== 'active') {
    throw forbidden('the account that made the offer is suspended', { reason: 'owner_suspended' })
  }
}

/** @throws CONFLICT where other agents act for this one: it would then have another owner than they have */
async function checkChildless(within: Store, agentId: string): Promise<void> {
  if ((await within.agents.count({ parentId: agentId })) > 0) {
    throw new TrustError(
      'CONFLICT',
      'other agents act for this agent; transfer or deactivate those first',
      { reason: 'agent_has_children' },
    )
  }
}

async function lockedState(within: Store, { agentId, fromOwnerId }: Transfer): Promise<AgentState> {
  const agentState = await within.agentStates.find({ agentId }, { lock: 'wait' })
  if (agentState?.ownerId !== fromOwnerId) {
    throw notFound('agent')
  }
  return agentState
}

async function pendingTransfer(
  within: Store,
  ownerId: string,
  id: string,
  now: number,
): Promise<{ transfer: Transfer; isOwn: boolean }> {
  const party = await partyOf(within, ownerId)
  await existingTransfer(within, party, id)
  const transfer = await within.transfers.find({ id }, { lock: 'wait' })
  if (!transfer) {
    throw notFound('transfer')
  }
  const status: TransferStatus = transferStatusAt(transfer, now)
  if (status !== 'pending') {
    throw new TrustError('CONFLICT', `this offer is ${status}`, { reason: `transfer_${status}` })
  }
  return { transfer, isOwn: transfer.fromOwnerId === ownerId }
}

function madeByCaller(): TrustError {
  return forbidden('the account that made the offer cannot accept or decline it; withdraw it')
}
