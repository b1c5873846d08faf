import type { ReviewFilter } from '../../../api/operator.ts'
import { t } from '../../../messages/index.ts'
import { SelectField } from '../../../ui/field.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { AgentName, ReporterName } from '../../agent/names.tsx'
import { useRules } from '../rules/list.ts'

/** By rule from the list; by agent and reporter from the case at hand. */
export function ReviewFilters({
  filter,
  set,
}: {
  filter: ReviewFilter
  set: (values: Readonly<Record<string, string>>) => void
}) {
  const { reviews: texts, rules: ruleTexts } = t.value
  const rules = useRules()
  const { agentId, reporterId } = filter
  return (
    <search class="filters">
      <SelectField
        isBare
        label={ruleTexts.rule}
        value={filter.rule ?? ''}
        options={[
          { value: '', label: texts.allRules },
          ...(rules.data?.rows ?? []).map(({ id }) => ({ value: id, label: id })),
        ]}
        onValue={(rule) => set({ rule, event: '' })}
      />
      {agentId && (
        <button type="button" title={texts.noFilter} onClick={() => set({ agent: '', event: '' })}>
          {texts.ofAgent}: <AgentName id={agentId} /> <Icon name="close" size={12} />
        </button>
      )}
      {reporterId && (
        <button
          type="button"
          title={texts.noFilter}
          onClick={() => set({ reporter: '', event: '' })}
        >
          {texts.ofReporter}: <ReporterName reporter={{ kind: 'platform', id: reporterId }} />{' '}
          <Icon name="close" size={12} />
        </button>
      )}
    </search>
  )
}
