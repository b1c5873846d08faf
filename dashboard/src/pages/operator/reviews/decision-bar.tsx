import { useSignal } from '@preact/signals'
import type { ReviewDecision } from '../../../api/operator.ts'
import type { ReviewItem } from '../../../api/types.ts'
import { t } from '../../../messages/index.ts'
import { useShortcut } from '../../../ui/shortcuts.ts'
import { decide } from './decide.tsx'

const REASON_MAX = 500

/** What a decision says where nothing else was written. */
const DEFAULTS = { released: 'plausible', upheld: 'contradiction' } as const

/** The decision with its reason, by a click or a key. */
export function DecisionBar({ item, onDecided }: { item: ReviewItem; onDecided: () => void }) {
  const { reviews: texts, shortcuts } = t.value
  const reason = useSignal('')
  const take = (decision: ReviewDecision) => () => {
    const said = reason.value.trim() || texts.templateList[DEFAULTS[decision]]
    onDecided()
    decide(item, decision, said)
  }
  const release = take('released')
  const uphold = take('upheld')
  useShortcut('r', shortcuts.release, release)
  useShortcut('u', shortcuts.uphold, uphold)
  return (
    <div class="decision-bar">
      <input
        list="reasons"
        aria-label={texts.reason}
        placeholder={texts.reason}
        maxLength={REASON_MAX}
        value={reason.value}
        onInput={(event) => {
          reason.value = event.currentTarget.value
        }}
      />
      <datalist id="reasons">
        {Object.values(texts.templateList).map((template) => (
          <option key={template} value={template} />
        ))}
      </datalist>
      <button type="button" class="primary" onClick={release} title={`${shortcuts.release} (R)`}>
        {texts.release}{' '}
        <span class="key" aria-hidden="true">
          R
        </span>
      </button>
      <button type="button" onClick={uphold} title={`${shortcuts.uphold} (U)`}>
        {texts.uphold}{' '}
        <span class="key" aria-hidden="true">
          U
        </span>
      </button>
    </div>
  )
}
