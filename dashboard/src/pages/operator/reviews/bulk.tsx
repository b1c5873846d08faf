import { useSignal } from '@preact/signals'
import { useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { type ReviewDecision, type ReviewFilter, reviewAll } from '../../../api/operator.ts'
import { number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { Dialog, DialogForm } from '../../../ui/dialog.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { AgentName, ReporterName } from '../../agent/names.tsx'

const REASON_MAX = 500

/** One decision for every event that fits a filter. */
export function BulkDialog({ filter, onClose }: { filter: ReviewFilter; onClose: () => void }) {
  const { reviews: texts } = t.value
  const decision = useSignal<ReviewDecision>('released')
  const reason = useSignal('')
  const run = useAction(async () => {
    const body = { ...filter, decision: decision.value, reason: reason.value.trim() }
    const count = await reviewAll(body)
    refresh('reviews', 'quarantined', 'score')
    toast(texts.bulkDone(number(count), count))
    onClose()
  })
  return (
    <Dialog title={texts.bulkTitle} onClose={onClose}>
      <DialogForm
        label={decision.value === 'released' ? texts.release : texts.uphold}
        action={run}
        onCancel={onClose}
      >
        <FilterWords filter={filter} />
        <p class="quiet">
          {texts.bulkLead} <b>{texts.bulkFinal}</b>
        </p>
        <Segmented<ReviewDecision>
          label={texts.decision}
          of={decision}
          options={[
            { value: 'released', label: texts.release },
            { value: 'upheld', label: texts.uphold },
          ]}
        />
        <TextArea label={texts.reason} required maxLength={REASON_MAX} of={reason} />
      </DialogForm>
    </Dialog>
  )
}

function FilterWords({ filter: { rule, agentId, reporterId } }: { filter: ReviewFilter }) {
  const { reviews: texts, rules } = t.value
  return (
    <Facts
      of={[
        rule && [rules.rule, <code>{rule}</code>],
        agentId && [texts.ofAgent, <AgentName id={agentId} />],
        reporterId && [
          texts.ofReporter,
          <ReporterName reporter={{ kind: 'platform', id: reporterId }} />,
        ],
      ]}
    />
  )
}
