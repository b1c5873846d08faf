import { listRules } from '../../../api/operator.ts'
import { useResource } from '../../../api/resource.ts'
import { t } from '../../../messages/index.ts'
import { PageHead } from '../../../ui/page.tsx'
import { Loaded } from '../../../ui/states.tsx'
import { RuleRow } from './rule-row.tsx'

/** What every event is checked for, and what happens when a rule matches. */
export function Rules() {
  const { rules: texts } = t.value
  const rules = useResource('rules', listRules)
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Loaded of={rows(rules)} rows={12}>
        {(list) => (
          <table class="rules">
            <thead>
              <tr>
                <th scope="col">{texts.rule}</th>
                <th scope="col">{texts.mode}</th>
                <th scope="col">{texts.threshold}</th>
              </tr>
            </thead>
            <tbody>
              {list.map((rule) => (
                <RuleRow key={rule.id} rule={rule} />
              ))}
            </tbody>
          </table>
        )}
      </Loaded>
    </>
  )
}

function rows(rules: ReturnType<typeof useResource<Awaited<ReturnType<typeof listRules>>>>) {
  const { data, ...rest } = rules
  return data === undefined ? rest : { ...rest, data: data.data }
}
