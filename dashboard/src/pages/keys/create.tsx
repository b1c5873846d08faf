import { useSignal } from '@preact/signals'
import { createKey } from '../../api/account.ts'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { SCOPES, type Scope } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Command, Secret } from '../../ui/copy.tsx'
import { curl } from '../../ui/curl.ts'
import { Dialog, DialogDone, DialogForm } from '../../ui/dialog.tsx'
import { ExpiryField, expiresAtOf } from '../../ui/expiry-field.tsx'
import { CheckField } from '../../ui/field.tsx'
import { NameField } from '../../ui/name-field.tsx'

/** A new key, shown once, with a first request to try it. */
export function CreateKeyDialog({ onClose }: { onClose: () => void }) {
  const { apiKeys: texts } = t.value
  const made = useSignal<string | null>(null)
  return (
    <Dialog title={texts.create} onClose={onClose}>
      {made.value === null ? (
        <KeyForm
          onCancel={onClose}
          onMade={(key) => {
            made.value = key
          }}
        />
      ) : (
        <>
          <Secret label={texts.key} value={made.value} />
          <Command
            label={texts.tryIt}
            text={curl('GET', '/v1/agents', `Authorization: Bearer ${made.value}`)}
          />
          <DialogDone onDone={onClose} />
        </>
      )}
    </Dialog>
  )
}

function KeyForm({ onMade, onCancel }: { onMade: (key: string) => void; onCancel: () => void }) {
  const { apiKeys: texts } = t.value
  const name = useSignal('')
  const scopes = useSignal<readonly Scope[]>(['read'])
  const expires = useSignal('')
  const create = useAction(async () => {
    const expiresAt = expiresAtOf(expires.value)
    const key = await createKey({ name: name.value.trim(), scopes: scopes.value, expiresAt })
    refresh('api-keys')
    onMade(key.apiKey)
  })
  const set = (scope: Scope, isOn: boolean) => {
    scopes.value = SCOPES.filter((one) => (one === scope ? isOn : scopes.value.includes(one)))
  }
  return (
    <DialogForm
      label={texts.create}
      action={create}
      isDisabled={scopes.value.length === 0}
      fields={['name', 'expiresAt']}
      onCancel={onCancel}
    >
      <NameField hint={texts.nameHint} error={create.error} of={name} />
      <fieldset>
        <legend>{texts.scopes}</legend>
        {SCOPES.map((scope) => (
          <CheckField
            key={scope}
            label={`${texts.scopeNames[scope]}: ${texts.scopeHints[scope]}`}
            value={scopes.value.includes(scope)}
            onValue={(isOn) => set(scope, isOn)}
          />
        ))}
      </fieldset>
      <ExpiryField label={texts.expiresOptional} error={create.error} of={expires} />
    </DialogForm>
  )
}
