import type { Explanation } from '../../api/types.ts'
import { t } from '../../messages/index.ts'
import { Said } from '../../ui/said.tsx'

const SIGNS = { raises: '↗', lowers: '↘', limits: '→' } as const

/** Why the score is where it is, in sentences. */
export function Reasons({ reasons }: { reasons: Explanation['reasons'] }) {
  const { why: texts } = t.value
  const known: Readonly<Record<string, string>> = texts.reasons
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
            <span>
              <Said words={known[code]} text={sentence} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
