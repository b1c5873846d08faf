import { drawThreshold } from '@standing/design/threshold.ts'
import type { Finding, Rule } from '../../../api/types.ts'
import { number } from '../../../messages/format.ts'
import { t } from '../../../messages/index.ts'
import { to } from '../../../paths.ts'
import { Drawn } from '../../../ui/drawn.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Finding as FindingWords } from '../../../ui/said.tsx'
import { useRules } from '../rules/list.ts'

/** Which figure of the evidence a rule compares with its threshold. */
const MEASURES: Readonly<Record<string, string>> = {
  implausible_data: 'usd',
  near_duplicate: 'copies',
  burst: 'inThisMinute',
  burst_peers: 'today',
  backdated: 'lagDays',
  window_edge: 'atEdge',
  self_dealing: 'today',
  credential_pumping: 'today',
  sleeper: 'sinceReactivated',
}

/** Each rule that found something: what it found, its figures, and the threshold drawn. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { reviews: texts, rules: ruleTexts } = t.value
  const rules = useRules()
  return (
    <section>
      <h3>{texts.whyTitle}</h3>
      <ul class="plain-list findings">
        {findings.map((finding) => (
          <li key={finding.rule}>
            <p>
              <FindingWords {...finding} />
            </p>
            <p class="quiet">
              <a href={to.findings(finding.rule)} class="mono">
                {finding.rule}
              </a>
              {' · '}
              {texts.severity[finding.severity]}
              {finding.mode === 'shadow' && ` · ${ruleTexts.modes.shadow}`}
            </p>
            <Figures
              finding={finding}
              rule={rules.data?.rows.find(({ id }) => id === finding.rule)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Figures({ finding, rule }: { finding: Finding; rule: Rule | undefined }) {
  const figures = Object.entries(finding.evidence)
  if (figures.length === 0) {
    return null
  }
  const threshold = rule?.threshold
  return (
    <Facts
      class="facts figures"
      of={figures.map(([name, value]) => {
        if (typeof value !== 'number') {
          return [labelOf(name), value]
        }
        const isMeasure = threshold && name === MEASURES[finding.rule]
        return [
          labelOf(name),
          <>
            {number(value, 2)}
            {isMeasure && (
              <AgainstThreshold rule={finding.rule} value={value} threshold={threshold} />
            )}
          </>,
        ]
      })}
    />
  )
}

function AgainstThreshold({
  rule,
  value,
  threshold,
}: {
  rule: string
  value: number
  threshold: NonNullable<Rule['threshold']>
}) {
  const { reviews, service } = t.value
  const unit = service.units[rule] ?? threshold.unit
  return (
    <>
      <Drawn class="drawn-block" markup={drawThreshold(value, threshold.value, null)} />
      <small class="quiet">{reviews.threshold(number(threshold.value, 1), unit)}</small>
    </>
  )
}

function labelOf(name: string): string {
  const labels: Readonly<Record<string, string>> = t.value.reviews.evidence
  return labels[name] ?? name
}
