import { useSignal } from '@preact/signals'
import { refresh } from '../../../api/cache.ts'
import { updateRule } from '../../../api/operator.ts'
import type { Rule, RuleMode } from '../../../api/types.ts'
import { number } from '../../../messages/format.ts'
import { language, t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { SelectField } from '../../../ui/field.tsx'
import { Said } from '../../../ui/said.tsx'
import { useToastedAction } from '../../../ui/toasted-action.tsx'
import { toast } from '../../../ui/toasts.tsx'

const MODES: readonly RuleMode[] = ['quarantine', 'shadow', 'off']

export function RuleRow({ rule }: { rule: Rule }) {
  const { rules: texts, reviews, service } = t.value
  const set = useToastedAction(async (change: Parameters<typeof updateRule>[1]) => {
    try {
      await updateRule(rule.id, change)
      toast(texts.saved(rule.id))
    } finally {
      refresh('rules')
    }
  })
  return (
    <tr>
      <th scope="row">
        <span class="mono">{rule.id}</span>{' '}
        <small class="quiet">{reviews.severity[rule.severity]}</small>
        <p class="quiet">
          <Said words={service.rules[rule.id]} text={rule.summary} />
        </p>
      </th>
      <td>
        <Found rule={rule} />
      </td>
      <td>
        <SelectField<RuleMode>
          isBare
          label={`${texts.mode}: ${rule.id}`}
          value={rule.mode}
          options={MODES.map((value) => ({
            value,
            label:
              value === rule.defaultMode
                ? `${texts.modes[value]} (${texts.isDefault})`
                : texts.modes[value],
          }))}
          onValue={(mode) => void set.run({ mode })}
        />
        <small class="quiet">{texts.modeHints[rule.mode]}</small>
      </td>
      <td>
        {rule.threshold && (
          <Threshold
            rule={rule}
            threshold={rule.threshold}
            save={(threshold) => void set.run({ threshold })}
          />
        )}
      </td>
    </tr>
  )
}

/** What it found lately, by what became of it; in shadow mode what it would have quarantined. */
function Found({ rule: { id, mode, found } }: { rule: Rule }) {
  const { rules: texts } = t.value
  if (found.events === 0) {
    return <span class="quiet">{texts.foundNothing}</span>
  }
  const { events, quarantined, released, upheld } = found
  const noted = events - quarantined
  return (
    <a href={to.findings(id)}>
      {quarantined > 0 &&
        texts.foundQuarantined(number(quarantined), number(released), number(upheld))}
      {quarantined > 0 && noted > 0 && <br />}
      {noted > 0 && (mode === 'quarantine' ? texts.foundCounted : texts.foundNoted)(number(noted))}
      <span class="visually-hidden">: {id}</span>
    </a>
  )
}

function Threshold({
  rule,
  threshold,
  save,
}: {
  rule: Rule
  threshold: NonNullable<Rule['threshold']>
  save: (threshold: number | null) => void
}) {
  const { rules: texts, common, service } = t.value
  const text = useSignal(String(round(threshold.value)))
  const isChanged = Number(text.value) !== round(threshold.value)
  return (
    <form
      class="threshold"
      // Of the service, which says it in English alone.
      title={language.value === 'en' ? threshold.reason : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        save(Number(text.value))
      }}
    >
      <span class="threshold-line">
        <input
          type="number"
          step="any"
          min={threshold.min}
          max={threshold.max}
          aria-label={`${texts.threshold}: ${rule.id}`}
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
        />
        {isChanged && <button type="submit">{common.save}</button>}
      </span>
      <small class="quiet">
        <Said words={service.units[rule.id]} text={threshold.unit} />,{' '}
        {texts.defaultIs(number(threshold.default, 2))}
      </small>
    </form>
  )
}

/** Thresholds differ a little between installations: three digits are enough to read. */
function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100
}
