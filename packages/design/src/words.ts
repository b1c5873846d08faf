import { type Confidence, EVENTS_FOR_MEDIUM, type ShownTier, shownTier, type Tier } from './tier.ts'

/** What a drawing of a score shows. */
export interface ScoreValues {
  readonly score: number
  readonly classification: Tier
  readonly confidence: Confidence
  readonly eventCount: number
  readonly interval: { readonly low: number; readonly high: number }
  /** Of the agent; left out where a drawing does not show it. */
  readonly status?: 'active' | 'suspended' | 'deactivated'
  /** Whether platforms disagree about the agent, and how many are on each side. */
  readonly disputed?: {
    readonly isDisputed: boolean
    readonly platformsFor: number
    readonly platformsAgainst: number
  }
}

/** The words of a language for it. */
export interface ScoreWords {
  readonly tiers: Readonly<Record<ShownTier, string>>
  readonly confidence: Readonly<Record<Confidence, string>>
  ofMost(score: number): string
  between(low: number, high: number): string
  notEnough(events: number, needed: number): string
  disputed(platformsFor: number, platformsAgainst: number): string
}

export const ENGLISH: ScoreWords = {
  tiers: {
    excellent: 'excellent',
    good: 'good',
    fair: 'fair',
    poor: 'poor',
    untrusted: 'untrusted',
    unknown: 'not enough data yet',
  },
  confidence: {
    low: 'low confidence',
    medium: 'medium confidence',
    high: 'high confidence',
  },
  ofMost: (score) => `${score} of 1000`,
  between: (low, high) => `between ${low} and ${high}`,
  notEnough: (events, needed) => `not enough data yet: ${events} of ${needed} events`,
  disputed: (platformsFor, platformsAgainst) =>
    `disputed, ${platformsFor} ${platformsFor === 1 ? 'platform' : 'platforms'} for and ${platformsAgainst} against`,
}

/** The score as a sentence: `712 of 1000, good, between 660 and 750, medium confidence`. */
export function scoreSentence(values: ScoreValues, words: ScoreWords = ENGLISH): string {
  const tier = shownTier(values)
  const { low, high } = values.interval
  const parts = [
    words.ofMost(values.score),
    tier === 'unknown' ? words.notEnough(values.eventCount, EVENTS_FOR_MEDIUM) : words.tiers[tier],
    words.between(low, high),
    tier === 'unknown' ? null : words.confidence[values.confidence],
    values.disputed?.isDisputed
      ? words.disputed(values.disputed.platformsFor, values.disputed.platformsAgainst)
      : null,
  ]
  return parts.filter((part) => part !== null).join(', ')
}
