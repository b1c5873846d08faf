import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { importPast } from '../../api/imports.ts'
import type { ImportSummary } from '../../api/types.ts'
import { number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Facts } from '../../ui/facts.tsx'
import { FileField, TextField } from '../../ui/field.tsx'
import { PageHead, Section } from '../../ui/page.tsx'
import { issueOf } from '../../ui/said.tsx'
import { FormError } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'

/** Brings the past of platforms: a dry run shows the scores, then the import writes them. */
export function Imports() {
  const { imports: texts } = t.value
  const file = useSignal<File | null>(null)
  const name = useSignal('')
  const summary = useSignal<ImportSummary | null>(null)
  const run = useAction(async (isDry: boolean) => {
    if (file.value) {
      const query = { name: name.value.trim(), dryRun: isDry ? 'true' : 'false' } as const
      summary.value = await importPast(file.value, query)
    }
  })
  const choose = (chosen: File | null) => {
    file.value = chosen
    summary.value = null
    if (chosen && name.value === '') {
      name.value = chosen.name.replace(/\.\w+$/, '').replaceAll(/[^\w.-]/g, '-')
    }
  }
  const isTried = summary.value?.dryRun === true
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <form
        class="narrow-form"
        onSubmit={(event) => {
          event.preventDefault()
          void run.run(!isTried)
        }}
      >
        <FileField
          label={texts.file}
          hint={texts.fileHint}
          accept=".jsonl,.ndjson"
          onFile={choose}
        />
        <TextField
          label={texts.name}
          hint={texts.nameHint}
          required
          maxLength={64}
          error={issueOf(run.error, 'query.name')}
          value={name.value}
          onValue={(value) => {
            name.value = value
            summary.value = null
          }}
        />
        <FormError error={run.error} />
        <button type="submit" class={isTried ? 'primary' : ''} disabled={run.isBusy}>
          {run.isBusy ? texts.running : isTried ? texts.run : texts.dryRun}
        </button>
      </form>
      {summary.value && <Summary summary={summary.value} />}
    </>
  )
}

const COUNTS = ['lines', 'imported', 'alreadyImported', 'quarantined', 'refused'] as const

function Summary({ summary }: { summary: ImportSummary }) {
  const { imports: texts, agent } = t.value
  return (
    <Section title={summary.dryRun ? texts.wouldBe : texts.done}>
      <Facts of={COUNTS.map((count) => [texts.counts[count], number(summary[count])])} />
      {summary.errors.length > 0 && (
        <Table columns={[{ number: texts.line }, texts.problem]}>
          {summary.errors.map(({ line, message }) => (
            <tr key={line}>
              <td class="number">{number(line)}</td>
              <td>{message}</td>
            </tr>
          ))}
        </Table>
      )}
      {summary.agents.length > 0 && (
        <Table columns={[texts.agent, { number: agent.scoreTitle }]}>
          {summary.agents.map(({ agentId, score }) => (
            <tr key={agentId}>
              <th scope="row">
                <a class="mono" href={to.agent('operator', agentId)}>
                  {agentId}
                </a>
              </th>
              <td class="number">{number(score)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  )
}
