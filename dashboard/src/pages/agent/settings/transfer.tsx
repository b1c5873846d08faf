import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { offerAgent } from '../../../api/transfers.ts'
import type { Agent, Transfer as Offered } from '../../../api/types.ts'
import { dateTime } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { may } from '../../../session/rights.ts'
import { Dialog, DialogButton, DialogForm } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { RoleNote } from '../../../ui/role-note.tsx'
import { issueOf } from '../../../ui/said.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { Consequences } from '../../transfers/accept.tsx'
import { end, recipientOf, useTransfers } from '../../transfers/list.ts'

/** Offers the agent to another account, or shows the offer that waits. */
export function Transfer({ agent }: { agent: Agent }) {
  return (
    <Loaded of={useTransfers()} rows={1}>
      {({ rows }) => (
        <>
          <OfferOf
            agent={agent}
            open={rows.find(({ agentId, status }) => agentId === agent.id && status === 'pending')}
          />
          <RoleNote needs="admin" />
        </>
      )}
    </Loaded>
  )
}

function OfferOf({ agent, open }: { agent: Agent; open: Offered | undefined }) {
  const { transfers: texts } = t.value
  const mayEnd = may('admin')
  if (!open) {
    return (
      mayEnd && (
        <DialogButton label={texts.offer}>
          {(close) => <OfferDialog agent={agent} onClose={close} />}
        </DialogButton>
      )
    )
  }
  return (
    <>
      <p>{texts.offered(recipientOf(open), dateTime(open.expiresAt))}</p>
      {mayEnd && (
        <button type="button" onClick={() => end(open)}>
          {texts.withdraw}
        </button>
      )}
    </>
  )
}

function OfferDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const { transfers: texts } = t.value
  const to = useSignal('')
  const offer = useAction(async () => {
    const name = to.value.trim()
    await offerAgent(agent.id, name)
    refresh('transfers')
    toast(texts.offeredTo(name))
    onClose()
  })
  const issue = issueOf(offer.error, 'toOwnerEmail') ?? issueOf(offer.error, 'toOwnerId')
  return (
    <Dialog title={texts.offerTitle(agent.displayName)} onClose={onClose}>
      <DialogForm
        label={texts.offer}
        action={offer}
        fields={['toOwnerEmail', 'toOwnerId']}
        onCancel={onClose}
      >
        <TextField
          label={texts.recipient}
          hint={texts.recipientHint}
          required
          autoComplete="off"
          error={issue}
          of={to}
        />
        <Consequences />
      </DialogForm>
    </Dialog>
  )
}
