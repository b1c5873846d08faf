import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { verifyIdentifier } from '../../../api/identifiers.ts'
import type { Identifier } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { Command } from '../../../ui/copy.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { refreshAgent } from '../data.ts'

/** What to publish or sign so that the name counts, and the check that it was done. */
export function ProveDialog({
  identifier,
  onClose,
}: {
  identifier: Identifier
  onClose: () => void
}) {
  const { identifiers: texts, common } = t.value
  const signature = useSignal('')
  const canSign = identifier.ways.some(({ method }) => method === 'signature')
  const verify = useAction(async () => {
    await verifyIdentifier(identifier, signature.value.trim() || undefined)
    refresh(`identifiers:${identifier.agentId}`)
    refreshAgent(identifier.agentId)
    toast(texts.verifiedToast(identifier.value))
    onClose()
  })
  return (
    <Dialog title={texts.proveTitle(identifier.value)} onClose={onClose} isWide>
      <form onSubmit={submits(verify)}>
        <Command label={texts.challenge} text={identifier.challenge ?? ''} />
        <p>{identifier.ways.length > 0 ? texts.oneIsEnough : texts.noWay}</p>
        <Facts
          of={identifier.ways.map(({ method, location }) => [
            texts.methods[method],
            <code>{location}</code>,
          ])}
        />
        {canSign && (
          <TextArea
            class="mono"
            label={texts.signature}
            hint={texts.signatureHint}
            maxLength={8_000}
            of={signature}
          />
        )}
        <FormError error={verify.error} />
        <div class="dialog-foot">
          <button type="button" onClick={onClose}>
            {common.close}
          </button>
          <button type="submit" class="primary" disabled={verify.isBusy}>
            {texts.check}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
