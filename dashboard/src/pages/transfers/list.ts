import { type List, useList } from '../../api/list.ts'
import { endTransfer, listTransfers } from '../../api/transfers.ts'
import type { Transfer } from '../../api/types.ts'
import { shortId } from '../../ids.ts'
import { t } from '../../messages/index.ts'
import { session } from '../../session/session.ts'
import { setStatusLater } from '../../ui/row-changes.tsx'

const KEY = 'transfers'

/** Offers that the account made or was made, newest first. */
export function useTransfers(): List<Transfer> {
  return useList<Transfer>(KEY, listTransfers)
}

/** Whether an offer was made to this account, rather than by it. */
export function isReceived({ fromOwnerId }: Transfer): boolean {
  const who = session.value
  return who?.kind === 'owner' && who.owner.id !== fromOwnerId
}

export function senderOf({ fromOwnerId, fromOwnerName }: Transfer): string {
  return fromOwnerName ?? shortId(fromOwnerId)
}

/** The e-mail goes when the offer ends; an account has its id. */
export function recipientOf({ toOwnerEmail, toOwnerId }: Transfer): string {
  return toOwnerEmail ?? (toOwnerId ? shortId(toOwnerId) : '–')
}

/** Declines or withdraws an offer, in ten seconds. */
export function end(transfer: Transfer): void {
  const { transfers: texts } = t.value
  const { id, agentName } = transfer
  const received = isReceived(transfer)
  setStatusLater<Transfer['status']>(transfer, received ? 'declined' : 'withdrawn', {
    list: KEY,
    text: (received ? texts.declined : texts.withdrawn)(agentName),
    commit: (keepalive) => endTransfer(id, received, keepalive),
  })
}
