import { useList } from '../../../api/list.ts'
import { listRules } from '../../../api/operator.ts'
import type { Rule } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { Listing } from '../../../ui/listing.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { RuleRow } from './rule-row.tsx'

/** As the service counts. */
const FOUND_DAYS = 30

/** What every event is checked for, and what happens when a rule matches. */
export function Rules() {
  const { rules: texts } = t.value
  const rules = useList<Rule>('rules', (_, signal) => listRules(signal))
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Listing
        of={rules}
        skeleton={12}
        none=""
        class="rules"
        columns={[texts.rule, texts.found(FOUND_DAYS), texts.mode, texts.threshold]}
      >
        {(rule) => <RuleRow rule={rule} />}
      </Listing>
    </>
  )
}
