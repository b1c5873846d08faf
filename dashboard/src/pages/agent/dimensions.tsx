import type { Dimension, DimensionScore, Rate, Score } from '../../api/types.ts'
import { TIERS, type Tier } from '../../draw/tier.ts'
import { number, share } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Section } from '../../ui/page.tsx'
import { Scale } from '../../ui/score.tsx'

const DIMENSIONS: readonly Dimension[] = ['reliability', 'financial', 'identity']

/** The three dimensions on the same scale, their weights in words, and the forecast. */
export function Dimensions({ score }: { score: Score }) {
  const { breakdown: texts, dimensions } = t.value
  return (
    <Section title={texts.title}>
      <table class="compact">
        <tbody>
          {DIMENSIONS.map((name) => {
            const one = score.breakdown[name]
            return (
              <tr key={name}>
                <th scope="row">
                  {dimensions[name]}
                  <br />
                  <small class="quiet">
                    {weightOf(one)}, {texts.events(number(one.eventCount), one.eventCount)}
                  </small>
                </th>
                <td class="number">{number(one.score)}</td>
                <td class="cell-scale">
                  <Scale values={valuesOf(one)} size="list" />
                </td>
              </tr>
            )
          })}
          <ForecastRow label={texts.nextTask} rate={score.forecast.task} />
          <ForecastRow label={texts.nextPayment} rate={score.forecast.payment} />
        </tbody>
      </table>
    </Section>
  )
}

function weightOf({ weight, effectiveWeight }: DimensionScore): string {
  const { breakdown: texts } = t.value
  return weight === effectiveWeight
    ? texts.weight(share(weight))
    : texts.effective(share(effectiveWeight, 1), share(weight))
}

/** A dimension has no interval of its own. */
function valuesOf({ score, eventCount }: DimensionScore) {
  const tier: Tier = TIERS.find(({ max }) => score <= max)?.tier ?? 'excellent'
  return {
    score,
    classification: tier,
    confidence: eventCount === 0 ? ('low' as const) : ('medium' as const),
    eventCount,
    interval: { low: score, high: score },
  }
}

function ForecastRow({ label, rate }: { label: string; rate: Rate | null }) {
  const { breakdown: texts } = t.value
  return (
    <tr>
      <th scope="row">{label}</th>
      <td class="number" colSpan={2}>
        {rate === null ? (
          <span class="quiet">{texts.unknown}</span>
        ) : (
          texts.probability(share(rate.probability), share(rate.low), share(rate.high))
        )}
      </td>
    </tr>
  )
}
