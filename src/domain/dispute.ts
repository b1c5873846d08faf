import type { Aggregate } from './aggregate.ts'
import type { WholeAssessment } from './assess.ts'
import type { Evidence } from './evidence-state.ts'
import type { Model } from './model.ts'
import type { Source } from './source.ts'

/** Whether platforms disagree about an agent, and how many of them stand on each side. */
export interface Disputed {
  readonly isDisputed: boolean
  readonly platformsFor: number
  readonly platformsAgainst: number
}

/** Counted are platforms with a vote of their own that has at least half of its weight. */
export function disputedOf(model: Model, { aggregate, now }: Assessed): Disputed {
  let platformsFor = 0
  let platformsAgainst = 0
  for (const source of now.sources) {
    platformsFor += isFor(model, source) ? 1 : 0
    platformsAgainst += isAgainst(model, source) ? 1 : 0
  }
  const isOnBoth = platformsFor > 0 && platformsAgainst > 0
  return { isDisputed: isOnBoth && isSplit(model, aggregate), platformsFor, platformsAgainst }
}

/** Whether the reporters disagree. Platforms are looked at only where the weight of the minority is large
 *  enough, up to the first on each side. */
export function isDisputed(model: Model, { aggregate, now }: Assessed): boolean {
  return isSplit(model, aggregate) && areOnBothSides(model, now)
}

type Assessed = Pick<WholeAssessment, 'aggregate' | 'now'>

function isFor({ deniedBelow }: Model, source: Source): boolean {
  const { vote, positiveWeight, positiveWeightMax } = source
  return vote >= deniedBelow && positiveWeight > 0 && positiveWeight >= positiveWeightMax / 2
}

function isAgainst({ deniedBelow }: Model, source: Source): boolean {
  const { vote, negativeWeight, negativeWeightMax } = source
  return vote < deniedBelow && negativeWeight > 0 && negativeWeight >= negativeWeightMax / 2
}

function areOnBothSides(model: Model, { sources }: Evidence): boolean {
  let someFor = false
  let someAgainst = false
  for (let i = 0; i < sources.length && !(someFor && someAgainst); i++) {
    const source = sources[i] as Source
    someFor ||= isFor(model, source)
    someAgainst ||= isAgainst(model, source)
  }
  return someFor && someAgainst
}

/** Whether the weight of the minority is large enough. */
function isSplit(model: Model, { weightFor, weightAgainst }: Aggregate): boolean {
  const minority = Math.min(weightFor, weightAgainst)
  return minority >= model.disputedShareMin * (weightFor + weightAgainst)
}
