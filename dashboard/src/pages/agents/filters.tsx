import { TIERS } from '@standing/design/tier.ts'
import type { Ref } from 'preact'
import { t } from '../../messages/index.ts'
import { SelectField } from '../../ui/field.tsx'
import type { AgentFilter } from './order.ts'

export function AgentFilters({
  ref,
  filter,
  set,
}: {
  ref: Ref<HTMLInputElement>
  filter: AgentFilter
  set: (values: Readonly<Record<string, string>>) => void
}) {
  const { agents: texts, tiers, statuses } = t.value
  const tierNames = [...TIERS.map(({ tier }) => tier).reverse(), 'unknown'] as const
  return (
    <search class="filters">
      <input
        ref={ref}
        type="search"
        aria-label={texts.searchLabel}
        placeholder={texts.searchHint}
        title={`${texts.searchLabel} (/)`}
        value={filter.text}
        onInput={(event) => set({ q: event.currentTarget.value })}
      />
      <SelectField
        isBare
        label={texts.tier}
        value={filter.tier}
        options={[
          { value: '', label: texts.allTiers },
          ...tierNames.map((tier) => ({ value: tier as string, label: tiers.names[tier] })),
        ]}
        onValue={(tier) => set({ tier })}
      />
      <SelectField
        isBare
        label={t.value.common.status}
        value={filter.status}
        options={[
          { value: '', label: texts.inUse },
          ...(['active', 'suspended', 'deactivated'] as const).map((status) => ({
            value: status as string,
            label: statuses[status],
          })),
          { value: 'all', label: texts.allStatuses },
        ]}
        onValue={(status) => set({ status })}
      />
      <SelectField
        isBare
        label={texts.sort}
        value={filter.sort}
        options={[
          { value: '', label: texts.sorts.newest },
          { value: 'name', label: texts.sorts.name },
          { value: 'best', label: texts.sorts.best },
          { value: 'worst', label: texts.sorts.worst },
        ]}
        onValue={(sort) => set({ sort })}
      />
    </search>
  )
}
