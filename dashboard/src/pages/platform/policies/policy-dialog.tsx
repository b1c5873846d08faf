import { useSignal } from '@preact/signals'
import { submits, useAction } from '../../../api/action.ts'
import { refresh } from '../../../api/cache.ts'
import { backtest, putPolicy } from '../../../api/decisions.ts'
import type { Backtest, Policy, PolicyInput, Verdict } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { optionsOf, SelectField, TextField } from '../../../ui/field.tsx'
import { issueOf } from '../../../ui/said.tsx'
import { FormError } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toasts.tsx'
import { BacktestReport } from './backtest-report.tsx'
import { BACKTEST_DAYS, backtestSpan } from './span.ts'

const VERDICTS = ['allow', 'review', 'deny'] as const satisfies readonly Verdict[]
const CONFIDENCES = ['low', 'medium', 'high'] as const

/** A policy, tried on the platform's own history before it is stored. */
export function PolicyDialog({ known, onClose }: { known: Policy | null; onClose: () => void }) {
  const { policies: texts, common, tiers } = t.value
  const name = useSignal(known?.name ?? '')
  const policy = useSignal<PolicyInput>(fieldsOf(known))
  const report = useSignal<Backtest | null>(null)
  const set = (change: Partial<PolicyInput>) => {
    policy.value = { ...policy.value, ...change }
    report.value = null
  }
  const test = useAction(async () => {
    const asked = { ...backtestSpan(), policy: policy.value }
    report.value = await backtest(name.value || 'draft', asked)
  })
  const save = useAction(async () => {
    await putPolicy(name.value, policy.value)
    refresh('policies')
    toast(common.saved)
    onClose()
  })
  const error = save.error ?? test.error
  const verdictOptions = optionsOf(VERDICTS, texts.verdicts)
  return (
    <Dialog title={known ? texts.editTitle(known.name) : texts.create} onClose={onClose} isWide>
      <form onSubmit={submits(save)}>
        <div class="form-columns">
          {!known && (
            <TextField
              label={common.name}
              hint={texts.nameHint}
              required
              maxLength={64}
              error={issueOf(error, 'params.name')}
              of={name}
            />
          )}
          <TextField
            label={texts.minScore}
            hint={texts.minScoreHint}
            type="number"
            required
            min={0}
            max={1000}
            error={issueOf(error, 'minScore')}
            value={String(policy.value.minScore)}
            onValue={(value) => set({ minScore: Number(value) })}
          />
          <SelectField
            label={texts.minConfidence}
            hint={texts.minConfidenceHint}
            value={policy.value.minConfidence ?? 'low'}
            options={optionsOf(CONFIDENCES, tiers.confidence)}
            onValue={(minConfidence) => set({ minConfidence })}
          />
          <SelectField<Verdict>
            label={texts.unknown}
            hint={texts.unknownHint}
            value={policy.value.unknown ?? 'review'}
            options={verdictOptions}
            onValue={(unknown) => set({ unknown })}
          />
          <SelectField<Verdict>
            label={texts.disputed}
            hint={texts.disputedHint}
            value={policy.value.disputed ?? 'review'}
            options={verdictOptions}
            onValue={(disputed) => set({ disputed })}
          />
          <TextField
            label={texts.maxExposureOptional}
            hint={texts.maxExposureHint}
            type="number"
            min={0}
            step="any"
            error={issueOf(error, 'maxExposure')}
            value={policy.value.maxExposure?.toString() ?? ''}
            onValue={(value) => set({ maxExposure: value === '' ? null : Number(value) })}
          />
        </div>
        <FormError error={error} />
        <div class="dialog-foot">
          <button type="button" onClick={() => void test.run()} disabled={test.isBusy}>
            {texts.test(BACKTEST_DAYS)}
          </button>
          <button type="submit" class="primary" disabled={save.isBusy}>
            {common.save}
          </button>
        </div>
      </form>
      {report.value && <BacktestReport report={report.value} />}
    </Dialog>
  )
}

function fieldsOf(known: Policy | null): PolicyInput {
  if (!known) {
    return {
      minScore: 650,
      minConfidence: 'medium',
      unknown: 'review',
      disputed: 'review',
      maxExposure: null,
    }
  }
  const { minScore, minConfidence, unknown, disputed, maxExposure } = known
  return { minScore, minConfidence, unknown, disputed, maxExposure }
}
