import { patch, refresh } from '../../api/cache.ts'
import { type List, type Rows, useList } from '../../api/list.ts'
import { endTransfer, listTransfers } from '../../api/transfers.ts'
import type { Transfer } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { session } from '../../session/session.ts'
import { shortId } from '../../ui/short-id.ts'
import { messageOf } from '../../ui/states.tsx'
import { later } from '../../ui/toasts.tsx'

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
  const received = isReceived(transfer)
  const show = (status: Transfer['status']) =>
    patch<Rows<Transfer>>(KEY, ({ rows, ...rest }) => ({
      ...rest,
      rows: rows.map((one) => (one.id === transfer.id ? { ...one, status } : one)),
    }))
  show(received ? 'declined' : 'withdrawn')
  later({
    text: (received ? texts.declined : texts.withdrawn)(transfer.agentName),
    commit: async (keepalive) => {
      await endTransfer(transfer.id, received, keepalive)
      refresh(KEY)
    },
    undo: () => show('pending'),
    failed: messageOf,
  })
}
