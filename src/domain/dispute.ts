import type { Assessment } from './assess.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'

/** Whether platforms disagree about an agent, and how many of them stand on each side. */
export interface Disputed {
  readonly isDisputed: boolean
  readonly platformsFor: number
  readonly platformsAgainst: number
}

/** Counted are platforms with a vote of their own that has at least half of its weight. */
export function disputedOf(
  model: Model,
  { aggregate, now }: Pick<Assessment, 'aggregate' | 'now'>,
): Disputed {
  let platformsFor = 0
  let platformsAgainst = 0
  const { sources } = now
  for (let i = 0; i < sources.length; i++) {
    const source = sources[i] as Source
    const { vote, positiveWeight, negativeWeight } = source
    const isFor = positiveWeight > 0 && positiveWeight >= source.positiveWeightMax / 2
    const isAgainst = negativeWeight > 0 && negativeWeight >= source.negativeWeightMax / 2
    if (vote >= model.deniedBelow && isFor) {
      platformsFor += 1
    }
    if (vote < model.deniedBelow && isAgainst) {
      platformsAgainst += 1
    }
  }
  const { weightFor, weightAgainst } = aggregate
  const minority = Math.min(weightFor, weightAgainst)
  const isDisputed =
    platformsFor > 0 &&
    platformsAgainst > 0 &&
    minority >= model.disputedShareMin * (weightFor + weightAgainst)
  return { isDisputed, platformsFor, platformsAgainst }
}
