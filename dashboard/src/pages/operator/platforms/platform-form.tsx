import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { SERVICE_TIERS } from '../../../api/limits.ts'
import type { Platform, ServiceTier } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { DialogForm } from '../../../ui/dialog.tsx'
import { CheckField, optionsOf, SelectField, TextField } from '../../../ui/field.tsx'
import { NameField } from '../../../ui/name-field.tsx'
import { issueOf } from '../../../ui/said.tsx'

export interface PlatformInput {
  readonly name: string
  readonly tier: ServiceTier
  readonly publicKey: string | null
  readonly requireAttestation: boolean
  readonly verified: boolean
}

export function PlatformForm({
  known,
  submit,
  submitLabel,
  onCancel,
}: {
  known?: Platform
  submit: (input: PlatformInput) => Promise<void>
  submitLabel: string
  onCancel: () => void
}) {
  const { platforms: texts, serviceTiers } = t.value
  const name = useSignal(known?.name ?? '')
  const tier = useSignal<ServiceTier>(known?.tier ?? 'platform')
  const publicKey = useSignal(known?.publicKey ?? '')
  const isVerified = useSignal(known?.verified ?? false)
  const isRequired = useSignal(known?.requireAttestation ?? false)
  const save = useAction(() =>
    submit({
      name: name.value.trim(),
      tier: tier.value,
      publicKey: publicKey.value.trim() || null,
      requireAttestation: isRequired.value,
      verified: isVerified.value,
    }),
  )
  return (
    <DialogForm label={submitLabel} action={save} onCancel={onCancel}>
      <NameField error={save.error} of={name} />
      <SelectField<ServiceTier>
        label={texts.tier}
        of={tier}
        options={optionsOf(SERVICE_TIERS, serviceTiers)}
      />
      <CheckField label={texts.verified} of={isVerified} />
      <TextField
        label={texts.publicKey}
        hint={texts.publicKeyHint}
        class="mono"
        spellcheck={false}
        error={issueOf(save.error, 'publicKey')}
        of={publicKey}
      />
      {publicKey.value.trim() !== '' && (
        <CheckField label={texts.requireAttestation} of={isRequired} />
      )}
    </DialogForm>
  )
}
