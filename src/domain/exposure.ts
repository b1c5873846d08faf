import type { Evidence } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'

/**
 * How many dollars may be at risk in one deal; null where no platform with a vote of its own has
 * reported a good payment and named an amount. It is what the agent has carried for those platforms, by the weighted
 * lower median, so that no minority raises it, and one with few payments hardly lowers it; once at the lower
 * end of Good, twice at 1000.
 */
export function exposureLimit(model: Model, { sources }: Evidence, score: number): number | null {
  const paid = byCarried(sources)
  if (paid.length === 0) {
    return null
  }
  let whole = 0
  for (const source of paid) {
    whole += weightOf(model, source)
  }
  const half = whole / 2
  let below = 0
  let carried = 0
  for (const source of paid) {
    if (below >= half) {
      break
    }
    below += weightOf(model, source)
    carried = source.carried
  }
  return dollarsAt(model, score, carried)
}

/** The limit of an agent that has carried so much, as log2(1 + dollars), at a score. */
export function dollarsAt(
  { exposureFrom, exposureFull }: Model,
  score: number,
  carried: number,
): number {
  const share = (score - exposureFrom) / (exposureFull - exposureFrom)
  return Math.round(Math.max(0, share) * (exp2(carried) - 1))
}

/** In proportion to its good payments up to a number of them. */
function weightOf({ exposurePaymentsFull }: Model, source: Source): number {
  return source.positiveWeight * (source.paidCount / exposurePaymentsFull)
}

/** Those that reported a good payment and named an amount, by what was carried for them. An insertion sort: they are few. */
function byCarried(sources: Evidence['sources']): readonly Source[] {
  const paid: Source[] = []
  for (const source of sources) {
    if (source.financialGood > 0 && source.carried > 0) {
      let i = paid.length
      for (; i > 0 && (paid[i - 1] as Source).carried > source.carried; i--) {
        paid[i] = paid[i - 1] as Source
      }
      paid[i] = source
    }
  }
  return paid
}
