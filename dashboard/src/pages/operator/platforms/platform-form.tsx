import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { issueOf } from '../../../api/error.ts'
import { SERVICE_TIERS } from '../../../api/limits.ts'
import type { Platform, ServiceTier } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { DialogFoot } from '../../../ui/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx'
import { FormError } from '../../../ui/states.tsx'

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
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save.run()
      }}
    >
      <TextField
        label={texts.name}
        required
        maxLength={100}
        error={issueOf(save.error, 'name')}
        value={name.value}
        onValue={(value) => {
          name.value = value
        }}
      />
      <SelectField<ServiceTier>
        label={texts.tier}
        value={tier.value}
        options={SERVICE_TIERS.map((value) => ({ value, label: serviceTiers[value] }))}
        onValue={(value) => {
          tier.value = value
        }}
      />
      <CheckField
        label={texts.verified}
        checked={isVerified.value}
        onValue={(value) => {
          isVerified.value = value
        }}
      />
      <TextField
        label={texts.publicKey}
        hint={texts.publicKeyHint}
        class="mono"
        spellcheck={false}
        error={issueOf(save.error, 'publicKey')}
        value={publicKey.value}
        onValue={(value) => {
          publicKey.value = value
        }}
      />
      {publicKey.value.trim() !== '' && (
        <CheckField
          label={texts.requireAttestation}
          checked={isRequired.value}
          onValue={(value) => {
            isRequired.value = value
          }}
        />
      )}
      <FormError error={save.error} />
      <DialogFoot label={submitLabel} isDisabled={save.isBusy} onCancel={onCancel} />
    </form>
  )
}
