import { drawScale, type ScaleSize } from '@standing/design/scale.ts'
import { drawTier, EVENTS_FOR_MEDIUM, type ShownTier, shownTier } from '@standing/design/tier.ts'
import type { ScoreValues, ScoreWords } from '@standing/design/words.ts'
import type { Score } from '../api/types.ts'
import { number } from '../messages/format.ts'
import { t } from '../messages/index.ts'
import { Drawn } from './drawn.tsx'

/** The words of the reader's language, as the drawings take them. */
function scoreWords(): ScoreWords {
  const { tiers } = t.value
  return {
    tiers: tiers.names,
    confidence: tiers.confidence,
    ofMost: (score) => tiers.ofMost(number(score)),
    between: (low, high) => tiers.between(number(low), number(high)),
    notEnough: (events, needed) => tiers.notEnough(number(events), number(needed)),
    disputed: (platformsFor, platformsAgainst) =>
      tiers.disputed(number(platformsFor), number(platformsAgainst)),
  }
}

export function Scale({ values, size }: { values: ScoreValues; size: ScaleSize }) {
  return (
    <Drawn
      class={size === 'page' ? 'drawn-block' : 'drawn'}
      markup={drawScale(values, size, scoreWords())}
    />
  )
}

/** A tier by its sign and its word, in its colour. */
export function TierName({ tier }: { tier: ShownTier }) {
  return (
    <span class={`tier-name tier-${tier}`}>
      <Drawn markup={drawTier(tier)} />
      <span class="tier-word">{t.value.tiers.names[tier]}</span>
    </span>
  )
}

/** The tier with the score; for little data how much of it there is. */
export function TierScore({ score }: { score: Score }) {
  const tier = shownTier(score)
  const { tiers } = t.value
  const title =
    tier === 'unknown'
      ? tiers.notEnough(number(score.eventCount), number(EVENTS_FOR_MEDIUM))
      : `${tiers.names[tier]}, ${tiers.confidence[score.confidence]}`
  return (
    <span class={`tier-score tier-${tier}`} title={title}>
      <Drawn markup={drawTier(tier)} />
      <span class="tier-score-figure">{number(score.score)}</span>
      <span class="tier-word">
        {tier === 'unknown'
          ? tiers.enoughAt(number(score.eventCount), number(EVENTS_FOR_MEDIUM))
          : tiers.names[tier]}
      </span>
    </span>
  )
}
