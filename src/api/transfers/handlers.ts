import { audit } from '../../audit/audit.ts'
import { confirmPerson } from '../../auth/confirm-caller.ts'
import type { Context } from '../../context.ts'
import { created, ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import * as transfers from '../../identity/transfers.ts'
import type { Recorder } from '../../ingest/record-reports.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { presentWithKeys } from '../agents/with-keys.ts'
import { idOf, pageByKey } from '../paging.ts'
import { presentTransfer } from './present.ts'
import { TRANSFER_SPECS } from './spec.ts'

export interface TransferDeps extends Context {
  readonly recorder: Recorder
  readonly mailer: Mailer | null
}

export function transferRoutes(deps: TransferDeps): readonly Route[] {
  return bind(TRANSFER_SPECS, deps, {
    offerAgent,
    listTransfers,
    getTransfer,
    acceptTransfer,
    declineTransfer,
    withdrawTransfer,
  })
}

type In<Name extends keyof typeof TRANSFER_SPECS> = InputOf<(typeof TRANSFER_SPECS)[Name]>

function offerAgent(deps: TransferDeps, { caller, params, body, transact }: In<'offerAgent'>) {
  return transact(async (within) => {
    const offer = { ...body, ownerId: caller.ownerId, agentId: params.id }
    const transfer = await transfers.offerAgent(within, deps, offer)
    // Once the agent is locked: the person may have lost access since the request was admitted.
    await confirmPerson(within, caller, 'admin')
    const { id: transferId, toOwnerId } = transfer
    const target = { kind: 'agent', id: transfer.agentId }
    await audit(within, deps, caller, {
      action: 'agent.transfer_offered',
      target,
      details: { transferId, toOwnerId },
    })
    return created(presentTransfer(transfer, deps.now()))
  })
}

async function listTransfers(deps: TransferDeps, { caller, query }: In<'listTransfers'>) {
  const { store, cursors } = deps
  const { ownerId } = caller
  const { after, limit, respond } = pageByKey(cursors, query, {
    list: 'transfers',
    ownerId,
  })
  const party = await transfers.partyOf(store, ownerId)
  const page = await store.transfers.list(party, after, limit)
  const now = deps.now()
  return respond(page, (row) => presentTransfer(row, now), idOf)
}

async function getTransfer({ store, now }: TransferDeps, { caller, params }: In<'getTransfer'>) {
  const party = await transfers.partyOf(store, caller.ownerId)
  return ok(presentTransfer(await transfers.existingTransfer(store, party, params.id), now()))
}

function acceptTransfer(deps: TransferDeps, { caller, params, transact }: In<'acceptTransfer'>) {
  return transact(async (within) => {
    const { id } = params
    const request = { id, sendsMail: deps.mailer !== null }
    const accepted = await transfers.acceptTransfer(within, deps.recorder, caller, request)
    const { transfer, agent, apiKey, entries } = accepted
    const presented = await presentWithKeys(within, agent)
    // Last, as the head of the audit log is the last lock of every transaction.
    await within.audit.insertAll(entries)
    const { fromOwnerId, toOwnerId } = transfer
    const details = { transferId: id, fromOwnerId, toOwnerId }
    const target = { kind: 'agent', id: agent.id }
    await audit(within, deps, caller, { action: 'agent.transferred', target, details })
    return ok({
      transfer: presentTransfer(transfer, deps.now()),
      agent: presented,
      apiKey,
    })
  })
}

function declineTransfer(deps: TransferDeps, input: In<'declineTransfer'>) {
  return end(deps, input, 'declined')
}

function withdrawTransfer(deps: TransferDeps, input: In<'withdrawTransfer'>) {
  return end(deps, input, 'withdrawn')
}

function end(
  deps: TransferDeps,
  { caller, params, transact }: In<'declineTransfer' | 'withdrawTransfer'>,
  status: 'declined' | 'withdrawn',
) {
  return transact(async (within) => {
    const { ownerId } = caller
    const ending = { ownerId, id: params.id, status, sendsMail: deps.mailer !== null }
    const transfer = await transfers.endOffer(within, deps, ending)
    const target = { kind: 'agent', id: transfer.agentId }
    await audit(within, deps, caller, {
      action: `agent.transfer_${status}`,
      target,
      details: { transferId: params.id },
    })
    return ok(presentTransfer(transfer, deps.now()))
  })
}
