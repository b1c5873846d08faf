import { EVENTS_FOR_MEDIUM, shownTier } from '@standing/design/tier.ts'
import type { Score } from '../../api/types.ts'
import { money, number } from '../../messages/format.ts'
import { t } from '../../messages/index.ts'
import { Scale, TierName } from '../../ui/score.tsx'
import { Time } from '../../ui/time.tsx'

/** The score in large figures, its tier in words, and the scale. */
export function Headline({ score }: { score: Score }) {
  const { agent: texts, tiers } = t.value
  const tier = shownTier(score)
  const { platformReported, selfReported, quarantined } = score.evidence
  const confidence =
    tier === 'unknown'
      ? tiers.enoughAt(number(score.eventCount), number(EVENTS_FOR_MEDIUM))
      : tiers.confidence[score.confidence]
  return (
    <section class="headline" aria-label={texts.scoreTitle}>
      <div class="headline-figures">
        <span class={`headline-score tier-${tier}`}>{number(score.score)}</span>
        <div>
          <p class="headline-tier">
            <TierName tier={tier} /> <span class="quiet">{confidence}</span>
          </p>
          <p class="quiet">{tiers.meanings[tier]}</p>
        </div>
      </div>
      <Scale values={score} size="page" />
      {score.disputed.isDisputed && (
        <p class="banner">
          {texts.disputed(
            number(score.disputed.platformsFor),
            number(score.disputed.platformsAgainst),
          )}
        </p>
      )}
      {score.exposureLimit !== null && (
        <p>
          {texts.exposure} <b>{money(score.exposureLimit, 'USD')}</b>
        </p>
      )}
      <p class="quiet headline-facts">
        {texts.evidence(number(platformReported), platformReported, number(selfReported))}
        {quarantined > 0 && ` · ${texts.quarantinedCount(number(quarantined), quarantined)}`}
        {' · '}
        {texts.computed} <Time at={score.computedAt} />, {texts.model(score.modelVersion)}
      </p>
    </section>
  )
}
