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
export function disputedOf(model: Model, assessed: Assessed): Disputed {
  const sides = sidesOf(model, assessed.now)
  return { isDisputed: isSplit(model, assessed.aggregate) && isOnBoth(sides), ...sides }
}

/** Whether the reporters disagree. Platforms are counted only where the weight of the minority is large enough. */
export function isDisputed(model: Model, { aggregate, now }: Assessed): boolean {
  return isSplit(model, aggregate) && isOnBoth(sidesOf(model, now))
}

type Assessed = Pick<WholeAssessment, 'aggregate' | 'now'>

type Sides = Pick<Disputed, 'platformsFor' | 'platformsAgainst'>

function sidesOf(model: Model, { sources }: Evidence): Sides {
  let platformsFor = 0
  let platformsAgainst = 0
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
  return { platformsFor, platformsAgainst }
}

function isOnBoth({ platformsFor, platformsAgainst }: Sides): boolean {
  return platformsFor > 0 && platformsAgainst > 0
}

/** Whether the weight of the minority is large enough. */
function isSplit(model: Model, { weightFor, weightAgainst }: Aggregate): boolean {
  const minority = Math.min(weightFor, weightAgainst)
  return minority >= model.disputedShareMin * (weightFor + weightAgainst)
}
