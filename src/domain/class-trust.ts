/** Trust in one class of work: the whole, moved by how the class went compared with the rest. */

import type { ClassTotals, Evidence } from './evidence-state.ts'
import { clamp } from './math.ts'
import type { Model } from './model.ts'

const single = Math.fround

/** The totals with one observation more of a class; a class beyond the most told apart is left out. */
export function withClassReport(
  model: Model,
  classes: readonly ClassTotals[],
  name: string,
  observation: number,
): readonly ClassTotals[] {
  const good = single(Math.max(0, observation))
  const bad = single(Math.max(0, -observation))
  const known = classes.find((one) => one.name === name)
  if (!known) {
    return classes.length < model.classesMax ? [...classes, { name, good, bad }] : classes
  }
  const mass = known.good + known.bad
  const room = mass > model.massMax ? model.massMax / (mass + 1) : 1
  const after = {
    name,
    good: single(known.good * room + good),
    bad: single(known.bad * room + bad),
  }
  return classes.map((one) => (one === known ? after : one))
}

/**
 * The factor on the agent's bad odds in a class. Shrunk to the whole by `classPrior` reports, and at
 * most `classFactorMax` either way, so that a class of one's own gains little.
 */
export function classFactor(model: Model, { classes }: Evidence, name: string): number {
  const one = classes.find((totals) => totals.name === name)
  if (!one) {
    return 1
  }
  const good = classes.reduce((sum, totals) => sum + totals.good, 1)
  const bad = classes.reduce((sum, totals) => sum + totals.bad, 1)
  const rate = good / (good + bad)
  const odds = (one.bad + model.classPrior * (1 - rate)) / (one.good + model.classPrior * rate)
  return clamp(odds / (bad / good), 1 / model.classFactorMax, model.classFactorMax)
}
