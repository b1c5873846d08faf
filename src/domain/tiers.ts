/**
 * What a score is called, and how much evidence stands behind it.
 * Source: the interface's tables "Score classifications" and "Confidence levels".
 */
export type Classification = 'excellent' | 'good' | 'fair' | 'poor' | 'untrusted'
/** Lowest first. */
export const CONFIDENCES = ['low', 'medium', 'high'] as const
export type Confidence = (typeof CONFIDENCES)[number]

export interface Tier {
  readonly label: Classification
  readonly name: string
  /** Both ends belong to the tier. */
  readonly min: number
  readonly max: number
  readonly meaning: string
}

/** Best first. */
export const TIERS: readonly Tier[] = [
  {
    label: 'excellent',
    name: 'Excellent',
    min: 800,
    max: 1000,
    meaning: 'proven track record, fully trusted',
  },
  { label: 'good', name: 'Good', min: 650, max: 799, meaning: 'reliable agent with minor gaps' },
  {
    label: 'fair',
    name: 'Fair',
    min: 500,
    max: 649,
    meaning: 'acceptable but room for improvement',
  },
  {
    label: 'poor',
    name: 'Poor',
    min: 300,
    max: 499,
    meaning: 'significant concerns, limited trust',
  },
  {
    label: 'untrusted',
    name: 'Untrusted',
    min: 0,
    max: 299,
    meaning: 'major red flags or brand new',
  },
]

/** The score of an agent of which nothing is known (interface, Shape). */
export const NEW_AGENT_SCORE = 100

/** Events from which confidence is medium, and high: 500 stands in both ranges, the upper wins. */
export const MEDIUM_EVENTS_MIN = 50
export const HIGH_EVENTS_MIN = 500

/** The lowest score of a tier. */
export function tierMin(wanted: Classification): number {
  return TIERS.find(({ label }) => label === wanted)?.min ?? 0
}

export function classify(score: number): Classification {
  for (const { label, min } of TIERS) {
    if (score >= min) {
      return label
    }
  }
  return 'untrusted'
}

export function confidenceOf(eventCount: number): Confidence {
  if (eventCount >= HIGH_EVENTS_MIN) {
    return 'high'
  }
  return eventCount >= MEDIUM_EVENTS_MIN ? 'medium' : 'low'
}
