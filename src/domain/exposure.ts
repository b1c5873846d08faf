import type { Evidence } from './evidence-state.ts'
import { exp2 } from './math.ts'
import type { Model } from './model.ts'

/**
 * How many dollars may be at risk in one deal; null where no platform with a vote of its own has
 * reported a good payment. It is what the agent has carried for those platforms, by the weighted
 * lower median, so that no minority raises it; once at the lower end of Good, twice at 1000.
 */
export function exposureLimit(model: Model, { sources }: Evidence, score: number): number | null {
  const paid = sources
    .filter(({ financialGood }) => financialGood > 0)
    .sort((a, b) => a.carried - b.carried)
  if (paid.length === 0) {
    return null
  }
  const half = paid.reduce((sum, { positiveWeight }) => sum + positiveWeight, 0) / 2
  let below = 0
  let carried = 0
  for (const source of paid) {
    if (below >= half) {
      break
    }
    below += source.positiveWeight
    carried = source.carried
  }
  const share = (score - model.exposureFrom) / (model.exposureFull - model.exposureFrom)
  return Math.round(Math.max(0, share) * (exp2(carried) - 1))
}
