import type { Signal } from '@preact/signals'
import { listAgents } from '../../api/agents.ts'
import { useWholeList } from '../../api/list.ts'
import type { Agent } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { issueOf } from '../../ui/said.tsx'

/** More are not found in a menu: their id is asked for. */
const MENU_MAX = 200

/** The agent of this account for which a new one acts, if it does. */
export function ParentField({ of, error }: { of: Signal<string>; error: unknown }) {
  const texts = t.value.registering
  const agents = useWholeList<Agent>('agents', listAgents)
  const active = (agents.data?.rows ?? []).filter(({ status }) => status === 'active')
  if (active.length === 0) {
    return null
  }
  if (active.length > MENU_MAX) {
    return (
      <TextField
        label={texts.parent}
        hint={`${texts.parentId} ${texts.parentHint}`}
        class="mono"
        spellcheck={false}
        error={issueOf(error, 'parentId')}
        of={of}
      />
    )
  }
  const byName = active.toSorted((a, b) => a.displayName.localeCompare(b.displayName))
  return (
    <SelectField
      label={texts.parent}
      hint={texts.parentHint}
      of={of}
      options={[
        { value: '', label: texts.noParent },
        ...byName.map(({ id, displayName }) => ({ value: id, label: displayName })),
      ]}
    />
  )
}
