import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Section } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { askedBefore, forgetDecisions } from './asked.ts'

/** What was asked for here before, across visits. */
export function AskedBefore() {
  const { decide: texts, policies, events } = t.value
  const rows = askedBefore()
  if (rows.length === 0) {
    return null
  }
  return (
    <Section
      title={texts.asked}
      lead={texts.askedLead}
      aside={
        <button type="button" onClick={forgetDecisions}>
          {texts.forget}
        </button>
      }
    >
      <Table columns={[texts.agent, policies.verdict, texts.reasons, { number: events.when }]}>
        {rows.map(({ at, subject, agentId, decision, reasons }) => (
          <tr key={at}>
            <th scope="row">
              {agentId ? <a href={to.agent('platform', agentId)}>{subject}</a> : subject}
            </th>
            <td>{policies.verdicts[decision]}</td>
            <td>{reasons}</td>
            <td class="number quiet">
              <Time at={new Date(at).toISOString()} />
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  )
}
