import { el, picture } from './svg.ts'

export type Tier = 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
export type Confidence = 'low' | 'medium' | 'high'

/** What is shown: a tier, or that too little is known for one. */
export type ShownTier = Tier | 'unknown'

/** What is shown of an agent that is not active. */
export type ShownStatus = 'suspended' | 'deactivated'

export interface TierRange {
  readonly tier: Tier
  readonly min: number
  readonly max: number
}

export const SCORE_MAX = 1000

/** The tiers of the interface, worst first. */
export const TIERS: readonly TierRange[] = [
  { tier: 'untrusted', min: 0, max: 299 },
  { tier: 'poor', min: 300, max: 499 },
  { tier: 'fair', min: 500, max: 649 },
  { tier: 'good', min: 650, max: 799 },
  { tier: 'excellent', min: 800, max: SCORE_MAX },
]

/** Where every agent begins (docs/scoring.md). */
const NEWCOMER_SCORE = 100

/** From this many events on, confidence is medium (interface, Confidence levels). */
export const EVENTS_FOR_MEDIUM = 50

/**
 * Little data is grey and no warning, in any tier. Who fell below where everybody begins has
 * earned that by what was reported, and is shown as it is.
 */
export function shownTier(score: {
  readonly score: number
  readonly classification: Tier
  readonly confidence: Confidence
}): ShownTier {
  const isNewcomer = score.confidence === 'low' && score.score >= NEWCOMER_SCORE
  return isNewcomer ? 'unknown' : score.classification
}

/** The status of an agent that is shown in place of its tier: its score is not to be relied on. */
export function shownStatus({ status }: { readonly status?: string }): ShownStatus | null {
  return status === 'suspended' || status === 'deactivated' ? status : null
}

/** The tier that a score is in by its figure alone. */
export function tierAt(score: number): Tier {
  return TIERS.find(({ max }) => score <= max)?.tier ?? 'excellent'
}

/** The sign of a tier on a field of 12 by 12, in the colour of the text around it. */
export function drawTier(tier: ShownTier, size = 12): string {
  const frame = {
    class: `tier-glyph tier-${tier}`,
    viewBox: '0 0 12 12',
    width: size,
    height: size,
  }
  return picture(frame, null, SIGNS[tier])
}

const RING = { fill: 'none', stroke: 'currentColor', 'stroke-width': 1.8 }

const SIGNS: Readonly<Record<ShownTier, string>> = {
  excellent: el('circle', { cx: 6, cy: 6, r: 5, fill: 'currentColor' }),
  good:
    el('circle', { cx: 6, cy: 6, r: 4.1, ...RING }) +
    el('path', { d: 'M6 1.9a4.1 4.1 0 0 0 0 8.2z', fill: 'currentColor' }),
  fair: el('circle', { cx: 6, cy: 6, r: 4.1, ...RING }),
  poor: el('path', { d: 'M1.6 2.4h8.8L6 10.2z', ...RING, 'stroke-linejoin': 'round' }),
  untrusted: el('path', { d: 'M2 2l8 8M10 2l-8 8', ...RING, 'stroke-linecap': 'round' }),
  unknown: el('path', { d: 'M.5 6h11', ...RING, 'stroke-dasharray': '2.6 1.6' }),
}
