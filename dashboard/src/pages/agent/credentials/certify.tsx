import { useSignal } from '@preact/signals'
import { TIERS, type Tier } from '@standing/design/tier.ts'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { issueScoreCredential } from '../../../api/credentials.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogForm } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toasts.tsx'
import type { AgentView } from '../data.ts'

/** The service itself signs that the score is at least of a tier. */
export function CertifyDialog({ view, onClose }: { view: AgentView; onClose: () => void }) {
  const { credentials: texts, tiers } = t.value
  // The lowest tier says nothing and cannot be certified.
  const options = TIERS.slice(1).reverse()
  const reached = options.find(({ min }) => (view.score.data?.score ?? 0) >= min)
  const tier = useSignal<Tier>(reached?.tier ?? 'poor')
  const certify = useAction(async () => {
    await issueScoreCredential(view.id, tier.value)
    refresh(`credentials:${view.id}`)
    toast(texts.issuedToast)
    onClose()
  })
  return (
    <Dialog title={texts.certify} onClose={onClose}>
      <DialogForm label={texts.issue} action={certify} onCancel={onClose}>
        <p class="quiet">{texts.vouchLead}</p>
        <SelectField<Tier>
          label={texts.atLeast}
          of={tier}
          options={options.map((one) => ({
            value: one.tier,
            label: `${tiers.names[one.tier]} (${one.min})`,
          }))}
        />
      </DialogForm>
    </Dialog>
  )
}
