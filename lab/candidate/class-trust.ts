/** Trust in one class of work: the whole, moved by how the class went beside the rest. */
import { clamp } from '../../src/domain/math.ts'
import type { Evidence } from './evidence.ts'
import type { Model } from './model.ts'

/**
 * The factor on the agent's bad odds in a class. Shrunk to the whole by `classPrior` reports, and at most
 * `classFactorMax` either way, so that nobody makes a class of its own to stand apart in.
 */
export function classFactor(model: Model, evidence: Evidence, name: string): number {
  const one = evidence.classes.find((tally) => tally.name === name)
  if (!one) {
    return 1
  }
  let good = 1
  let bad = 1
  for (const tally of evidence.classes) {
    good += tally.good
    bad += tally.bad
  }
  const rate = good / (good + bad)
  const odds = (one.bad + model.classPrior * (1 - rate)) / (one.good + model.classPrior * rate)
  return clamp(odds / (bad / good), 1 / model.classFactorMax, model.classFactorMax)
}

/** A trust (0 to 1) with its odds divided by a factor of bad odds. */
export function withFactor(trust: number, factor: number): number {
  return trust <= 0 ? 0 : trust >= 1 ? 1 : 1 / (1 + (1 / trust - 1) * factor)
}
