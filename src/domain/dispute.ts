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

/**
 * Counted are platforms with a vote of their own that has at least half of its weight, before complaints fade:
 * victims that fell silent are shown.
 */
export function disputedOf(model: Model, assessed: Assessed): Disputed {
  let platformsFor = 0
  let platformsAgainst = 0
  for (const source of assessed.now.sources) {
    platformsFor += isFor(model, source) ? 1 : 0
    platformsAgainst += isAgainst(model, source) ? 1 : 0
  }
  return { isDisputed: isDisputed(model, assessed), platformsFor, platformsAgainst }
}

/** Whether the reporters disagree. Platforms are looked at only where the weight of the minority is large
 *  enough, up to the first on each side. */
export function isDisputed(model: Model, { aggregate, now }: Assessed): boolean {
  return isSplit(model, aggregate) && areOnBothSides(model, now, aggregate)
}

type Assessed = Pick<WholeAssessment, 'aggregate' | 'now'>

function isFor({ deniedBelow }: Model, source: Source): boolean {
  const { vote, positiveWeight, positiveWeightMax } = source
  return vote >= deniedBelow && positiveWeight > 0 && positiveWeight >= positiveWeightMax / 2
}

function isAgainst({ deniedBelow, badFull }: Model, source: Source): boolean {
  const { vote, negativeWeight, reliabilityBad, financialBad } = source
  const share = (reliabilityBad + financialBad) / badFull
  return vote < deniedBelow && negativeWeight > 0 && share * share >= 0.5
}

/** A complaint that has faded disputes a score only as long as such complaints keep the agent from Good. */
function areOnBothSides(model: Model, { sources }: Evidence, { denied }: Aggregate): boolean {
  const isDenied = denied > model.deniedFrom
  let someFor = false
  let someAgainst = false
  for (let i = 0; i < sources.length && !(someFor && someAgainst); i++) {
    const source = sources[i] as Source
    someFor ||= isFor(model, source)
    someAgainst ||= isAgainst(model, source) && (isDenied || isFresh(source))
  }
  return someFor && someAgainst
}

function isFresh({ negativeWeight, negativeWeightMax }: Source): boolean {
  return negativeWeight >= negativeWeightMax / 2
}

/** Whether the weight of the minority is large enough. */
function isSplit(model: Model, { weightFor, weightAgainst }: Aggregate): boolean {
  const minority = Math.min(weightFor, weightAgainst)
  return minority >= model.disputedShareMin * (weightFor + weightAgainst)
}
