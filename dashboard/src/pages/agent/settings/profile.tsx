import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../../api/action.ts'
import { updateAgent } from '../../../api/agents.ts'
import { refresh } from '../../../api/cache.ts'
import type { Agent } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { may } from '../../../session/rights.ts'
import { Facts } from '../../../ui/facts.tsx'
import { JsonField, objectOf } from '../../../ui/json-field.tsx'
import { NameField } from '../../../ui/name-field.tsx'
import { FormError } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'

export function Profile({ agent }: { agent: Agent }) {
  const { settings: texts, common } = t.value
  if (may('manage')) {
    return <ProfileForm agent={agent} />
  }
  return (
    <Facts
      of={[
        [common.name, agent.displayName],
        [texts.metadata, <pre>{metadataOf(agent)}</pre>],
      ]}
    />
  )
}

function metadataOf(agent: Agent): string {
  return JSON.stringify(agent.metadata ?? {}, null, 2)
}

function ProfileForm({ agent }: { agent: Agent }) {
  const { settings: texts, common } = t.value
  const name = useSignal(agent.displayName)
  const metadata = useSignal(metadataOf(agent))
  const save = useAction(async () => {
    const body = { displayName: name.value.trim(), metadata: objectOf(metadata.value) }
    await updateAgent(agent.id, body)
    refresh(`agent:${agent.id}`, 'agents')
    toast(common.saved)
  })
  return (
    <form class="narrow-form" onSubmit={submits(save)}>
      <NameField field="displayName" error={save.error} of={name} />
      <JsonField
        label={texts.metadata}
        hint={texts.metadataHint}
        wrong={texts.notJson}
        of={metadata}
      />
      <FormError error={save.error} fields={['displayName']} />
      <button type="submit" disabled={save.isBusy || objectOf(metadata.value) === null}>
        {common.save}
      </button>
    </form>
  )
}
