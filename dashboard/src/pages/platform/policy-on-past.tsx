import { useSignal } from '@preact/signals'
import { backtest, listPolicies } from '../../api/decisions.ts'
import { useResource } from '../../api/resource.ts'
import type { Policy } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { SelectField } from '../../ui/field.tsx'
import { Section } from '../../ui/page.tsx'
import { Loaded } from '../../ui/states.tsx'
import { BacktestReport } from './policies/backtest-report.tsx'
import { backtestSpan } from './policies/span.ts'

/** What came of the platform's past deals, had one of its policies decided on them. */
export function PolicyOnPast() {
  const stored = useResource('policies:first', (signal) => listPolicies(undefined, signal))
  const policies = stored.data?.data ?? []
  const chosen = useSignal<string | null>(null)
  const policy = policies.find(({ name }) => name === chosen.value) ?? policies[0]
  if (!policy) {
    return null
  }
  const { decide: texts } = t.value
  return (
    <Section
      title={texts.past}
      aside={
        policies.length > 1 && (
          <SelectField
            isBare
            label={texts.policy}
            value={policy.name}
            options={policies.map(({ name }) => ({ value: name, label: name }))}
            onValue={(name) => {
              chosen.value = name
            }}
          />
        )
      }
    >
      <Past key={policy.name} policy={policy} />
    </Section>
  )
}

/** The deals of a quarter change little within a visit. */
const FRESH_MS = 300_000

function Past({ policy: { name, updatedAt } }: { policy: Policy }) {
  const report = useResource(
    `backtest:${name}:${updatedAt}`,
    () => backtest(name, backtestSpan()),
    {
      freshMs: FRESH_MS,
    },
  )
  return (
    <Loaded of={report} rows={6}>
      {(data) => <BacktestReport report={data} />}
    </Loaded>
  )
}
