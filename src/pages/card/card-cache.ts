import { shownStatus, shownTier } from '@standing/design/tier.ts'
import type { ScoreValues } from '@standing/design/words.ts'
import { createBoundedMap } from '../../lib/bounded-map.ts'
import { drawCard } from './card.ts'

/** At some thirty kilobytes each. */
const CARDS_MAX = 100

/** Cards drawn lately. Drawing one takes a tenth of a second, and one of the same figures is the same. */
export function createCardCache(): (score: ScoreValues) => Promise<Uint8Array> {
  const cards = createBoundedMap<string, Promise<Uint8Array>>(CARDS_MAX)
  return (score) => {
    const { low, high } = score.interval
    const figures = [shownStatus(score) ?? shownTier(score), score.score, low, high].join(' ')
    const card = cards.get(figures) ?? drawCard(score)
    cards.set(figures, card)
    card.catch(() => cards.delete(figures))
    return card
  }
}
