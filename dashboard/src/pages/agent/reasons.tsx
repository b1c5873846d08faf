import type { Explanation } from '../../api/types.ts'
import { t } from '../../messages/index.ts'

const SIGNS = { raises: '↗', lowers: '↘', limits: '→' } as const

/** Why the score is where it is, in sentences. */
export function Reasons({ reasons }: { reasons: Explanation['reasons'] }) {
  const { why: texts } = t.value
  return (
    <div class="reasons">
      <h3>{texts.reasonsTitle}</h3>
      <ul class="plain-list">
        {reasons.map(({ code, effect, sentence }) => (
          <li key={code} class={`reason-${effect}`}>
            <span class="reason-sign" aria-hidden="true">
              {SIGNS[effect]}
            </span>
            <span class="visually-hidden">{texts.effects[effect]}: </span>
            <span>{isKnown(code) ? texts.reasons[code] : sentence}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function isKnown(code: string): code is keyof typeof t.value.why.reasons {
  return Object.hasOwn(t.value.why.reasons, code)
}
