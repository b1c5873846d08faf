import { t } from '../../../messages/index.ts'
import { Listing } from '../../../ui/listing.tsx'
import { PageHead } from '../../../ui/page.tsx'
import { useRules } from './list.ts'
import { RuleRow } from './rule-row.tsx'

/** As the service counts. */
const FOUND_DAYS = 30

/** What every event is checked for, and what happens when a rule matches. */
export function Rules() {
  const { rules: texts } = t.value
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <Listing
        of={useRules()}
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
