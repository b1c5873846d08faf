import { useSignal } from '@preact/signals'
import { useAction } from '../../api/action.ts'
import { refresh } from '../../api/cache.ts'
import { decide } from '../../api/decisions.ts'
import type { Decision } from '../../api/types.ts'
import { isUuid } from '../../ids.ts'
import { dateTime, money, number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { to } from '../../paths.ts'
import { Facts } from '../../ui/facts.tsx'
import { TextField } from '../../ui/field.tsx'
import { PageHead } from '../../ui/page.tsx'
import { issueOf, Said } from '../../ui/said.tsx'
import { FormError } from '../../ui/states.tsx'
import { PastDecisions } from './past-decisions.tsx'
import { PolicyOnPast } from './policy-on-past.tsx'

/** Asks for a decision as a program would, and shows what led to it. */
export function Decide() {
  const { decide: texts } = t.value
  const subject = useSignal('')
  const amount = useSignal('')
  const policy = useSignal('')
  const decision = useSignal<Decision | null>(null)
  const ask = useAction(async () => {
    const name = subject.value.trim()
    const answer = await decide({
      ...(isUuid(name) ? { agentId: name } : { identifier: name }),
      ...(amount.value === '' ? {} : { amount: Number(amount.value) }),
      ...(policy.value.trim() === '' ? {} : { policy: policy.value.trim() }),
    })
    decision.value = answer
    refresh('decisions')
  })
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div class="columns">
        <form
          class="narrow-form"
          onSubmit={(event) => {
            event.preventDefault()
            decision.value = null
            void ask.run()
          }}
        >
          <TextField
            label={texts.subject}
            hint={texts.subjectHint}
            class="mono"
            required
            maxLength={500}
            spellcheck={false}
            error={issueOf(ask.error, 'identifier')}
            of={subject}
          />
          <TextField
            label={texts.amount}
            type="number"
            min={0}
            step="any"
            error={issueOf(ask.error, 'amount')}
            of={amount}
          />
          <TextField
            label={texts.policy}
            hint={texts.policyHint}
            maxLength={64}
            error={issueOf(ask.error, 'policy')}
            of={policy}
          />
          <FormError error={ask.error} />
          <button type="submit" class="primary" disabled={ask.isBusy}>
            {texts.ask}
          </button>
        </form>
        {decision.value && <Verdict decision={decision.value} />}
      </div>
      <PastDecisions />
      <PolicyOnPast />
    </>
  )
}

function Verdict({ decision }: { decision: Decision }) {
  const { decide: texts, policies, tiers } = t.value
  const { agent, score, confidence, exposureLimit, ownExperience, expiresAt } = decision
  return (
    <section class="verdict" aria-live="polite">
      <h2 class={`verdict-${decision.decision}`}>{policies.verdicts[decision.decision]}</h2>
      <ul class="plain-list">
        {decision.reasons.map(({ code, message }) => (
          <li key={code}>
            <Said words={t.value.service.decisions[code]} text={message} />
          </li>
        ))}
      </ul>
      <Facts
        of={[
          agent && [texts.agent, <a href={to.agent('platform', agent.id)}>{agent.displayName}</a>],
          score !== null && [
            t.value.agent.scoreTitle,
            [number(score), confidence ? tiers.confidence[confidence] : []].flat().join(', '),
          ],
          exposureLimit !== null && [texts.exposureLimit, money(exposureLimit, 'USD')],
          ownExperience && [
            texts.own,
            texts.ownCounts(number(ownExperience.good), number(ownExperience.bad)),
          ],
          [texts.until, dateTime(expiresAt)],
        ]}
      />
    </section>
  )
}
