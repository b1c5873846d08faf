import { drawLevel } from '@standing/design/scale.ts'
import { type ShownTier, shownTier, tierAt } from '@standing/design/tier.ts'
import type { Dimension, DimensionScore, Rate, Score } from '../../api/types.ts'
import { number, probability, share } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Drawn } from '../../ui/drawn.tsx'
import { Section } from '../../ui/page.tsx'

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
                  <Level one={one} tier={tierOf(one, score)} />
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

function Level({ one, tier }: { one: DimensionScore; tier: ShownTier }) {
  const { tiers } = t.value
  const words = `${tiers.ofMost(number(one.score))}, ${tiers.names[tier]}`
  return <Drawn markup={drawLevel(one.score, tier, words)} />
}

function weightOf({ weight, effectiveWeight }: DimensionScore): string {
  const { breakdown: texts } = t.value
  return weight === effectiveWeight
    ? texts.weight(share(weight))
    : texts.effective(share(effectiveWeight, 1), share(weight))
}

/** Without a report there is no tier; nor where the whole agent has none yet. */
function tierOf({ score, eventCount }: DimensionScore, whole: Score): ShownTier {
  const isUnknown = eventCount === 0 || shownTier(whole) === 'unknown'
  return isUnknown ? 'unknown' : tierAt(score)
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
          texts.probability(
            probability(rate.probability),
            probability(rate.low),
            probability(rate.high),
          )
        )}
      </td>
    </tr>
  )
}
