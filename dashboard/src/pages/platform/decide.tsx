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
  const decided = useSignal<{ decision: Decision; amount: number } | null>(null)
  const ask = useAction(async () => {
    const name = subject.value.trim()
    const answer = await decide({
      ...(isUuid(name) ? { agentId: name } : { identifier: name }),
      ...(amount.value === '' ? {} : { amount: Number(amount.value) }),
      ...(policy.value.trim() === '' ? {} : { policy: policy.value.trim() }),
    })
    decided.value = { decision: answer, amount: Number(amount.value) }
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
            decided.value = null
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
        {decided.value && <Verdict {...decided.value} />}
      </div>
      <PastDecisions />
      <PolicyOnPast />
    </>
  )
}

/** @param amount dollars at risk */
function Verdict({ decision, amount }: { decision: Decision; amount: number }) {
  const { decide: texts, policies, tiers } = t.value
  const { agent, score, confidence, exposureLimit, ownExperience, expiresAt } = decision
  return (
    <section class="verdict" aria-live="polite">
      <h2 class={`verdict-${decision.decision}`}>{policies.verdicts[decision.decision]}</h2>
      <ul class="plain-list">
        {decision.reasons.map(({ code, message }) => (
          <li key={code}>
            <Said words={reasonOf(code, decision, amount)} text={message} />
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

/** Why, with the figures that the service names in English. */
function reasonOf(code: string, decision: Decision, amount: number): string | undefined {
  const { decisions, figures } = t.value.service
  const pair = figuresOf(code, decision, amount)
  return [decisions[code], pair && figures[code]?.(...pair)].filter(Boolean).join(' ') || undefined
}

function figuresOf(code: string, decision: Decision, amount: number): [string, string] | undefined {
  const { score, confidence, disputed, exposureLimit, ownExperience, policy } = decision
  const words = t.value.tiers.confidence
  switch (code) {
    case 'meets_policy':
    case 'score_too_low':
      return [number(score ?? 0), number(policy.minScore)]
    case 'confidence_too_low':
      return [words[confidence ?? 'low'], words[policy.minConfidence]]
    case 'above_max_exposure':
      return [money(amount, 'USD'), money(policy.maxExposure ?? 0, 'USD')]
    case 'above_exposure_limit':
      // Below it, the limit is the lower one of the platform's own payments, which only the service knows.
      return amount > (exposureLimit ?? 0)
        ? [money(amount, 'USD'), money(exposureLimit ?? 0, 'USD')]
        : undefined
    case 'disputed':
      return [number(disputed?.platformsFor ?? 0), number(disputed?.platformsAgainst ?? 0)]
    default:
      return ownExperience ? [number(ownExperience.good), number(ownExperience.bad)] : undefined
  }
}
