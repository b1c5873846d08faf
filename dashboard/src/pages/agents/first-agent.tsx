import { t } from '../../messages/index.ts'
import { may } from '../../session/rights.ts'
import { Register } from './register.tsx'

/** The first visit: what an agent is, and the one thing to do. */
export function FirstAgent() {
  const texts = t.value.agents
  return (
    <div class="first-run">
      <h2>{texts.noneTitle}</h2>
      <p class="quiet">{texts.noneText}</p>
      {may('manage') && <Register />}
    </div>
  )
}
