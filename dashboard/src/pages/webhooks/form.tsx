import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { submits, useAction } from '../../api/action.ts'
import { NOTIFICATION_TYPES, type Webhook } from '../../api/types.ts'
import type { WebhookInput } from '../../api/webhooks.ts'
import { t } from '../../messages/index.ts'
import { CheckField, TextArea, TextField } from '../../ui/field.tsx'
import { issueOf } from '../../ui/said.tsx'
import { FormError } from '../../ui/states.tsx'

const EVERYTHING = '*'

/** The settings of a webhook, new or changed. */
export function WebhookForm({
  known,
  submit,
  submitLabel,
  children,
}: {
  known?: Webhook
  submit: (input: WebhookInput) => Promise<void>
  submitLabel: string
  children: ComponentChildren
}) {
  const { webhooks: texts } = t.value
  const url = useSignal(known?.url ?? '')
  const description = useSignal(known?.description ?? '')
  const events = useSignal<readonly string[]>(known?.events ?? [EVERYTHING])
  const agentIds = useSignal(known?.agentIds?.join('\n') ?? '')
  const save = useAction(() => {
    const ids = agentIds.value.split(/\s+/).filter((id) => id !== '')
    return submit({
      url: url.value.trim(),
      events: events.value,
      description: description.value.trim() || null,
      agentIds: ids.length > 0 ? ids : null,
    })
  })
  const toggle = (type: string) => (isOn: boolean) => {
    const others = events.value.filter((one) => one !== type)
    events.value = isOn ? [...others, type] : others
  }
  const isAll = events.value.includes(EVERYTHING)
  return (
    <form onSubmit={submits(save)}>
      <TextField
        label={texts.url}
        hint={texts.urlHint}
        type="url"
        required
        error={issueOf(save.error, 'url')}
        of={url}
      />
      <fieldset>
        <legend class="legend">{texts.events}</legend>
        <CheckField label={texts.everything} value={isAll} onValue={toggle(EVERYTHING)} />
        {!isAll && (
          <div class="check-grid">
            {NOTIFICATION_TYPES.map((type) => (
              <CheckField
                key={type}
                label={texts.types[type]}
                value={events.value.includes(type)}
                onValue={toggle(type)}
              />
            ))}
          </div>
        )}
      </fieldset>
      <TextField label={texts.description} maxLength={200} of={description} />
      <TextArea
        label={texts.agentIds}
        hint={texts.agentIdsHint}
        class="mono"
        rows={2}
        error={issueOf(save.error, 'agentIds')}
        of={agentIds}
      />
      <FormError error={save.error} fields={['url', 'agentIds']} />
      <div class="dialog-foot">
        {children}
        <button type="submit" class="primary" disabled={save.isBusy || events.value.length === 0}>
          {submitLabel}
        </button>
      </div>
    </form>
  )
}
