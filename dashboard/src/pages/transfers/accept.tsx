import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso/router'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { useResource } from '../../api/resource.ts'
import { getScore } from '../../api/scores.ts'
import { acceptTransfer } from '../../api/transfers.ts'
import type { AcceptedTransfer, Transfer } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Secret } from '../../ui/copy.tsx'
import { Dialog, DialogDone, DialogForm } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { TierScore } from '../../ui/score.tsx'
import { refreshAgent } from '../agent/data.ts'
import { senderOf } from './list.ts'

/** What becomes of the agent, and then its only key, which is shown once. */
export function AcceptDialog({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { transfers: texts } = t.value
  const { route } = useLocation()
  const accepted = useSignal<AcceptedTransfer | null>(null)
  const accept = useAction(async () => {
    accepted.value = await acceptTransfer(transfer.id)
    refresh('transfers', 'agents')
    refreshAgent(transfer.agentId)
  })
  const made = accepted.value
  return (
    <Dialog title={texts.acceptTitle(transfer.agentName)} onClose={onClose}>
      {made === null ? (
        <DialogForm label={texts.accept} action={accept} onCancel={onClose}>
          <p>
            {texts.offeredBy(senderOf(transfer))} <CurrentScore id={transfer.agentId} />
          </p>
          <Consequences />
        </DialogForm>
      ) : (
        <>
          <Secret label={t.value.registering.keyLabel} value={made.apiKey} />
          <DialogDone onDone={() => route(to.agent('owner', made.agent.id))} />
        </>
      )}
    </Dialog>
  )
}

function CurrentScore({ id }: { id: string }) {
  const score = useResource(`score:${id}`, (signal) => getScore(id, signal))
  return score.data ? <TierScore score={score.data} /> : null
}

/** What a change of hands does, for the one who gives the agent away and the one who gets it. */
export function Consequences() {
  const { transfers: texts } = t.value
  return (
    <Facts
      of={[
        [texts.stays, texts.staysWhat],
        [texts.ends, texts.endsWhat],
        [texts.restarts, texts.restartsWhat],
      ]}
    />
  )
}
