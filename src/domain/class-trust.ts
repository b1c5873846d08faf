/** What one reporter reported about each class of work of an agent. */

import type { Model } from './model.ts'

/** Reports of one class of work by one reporter. */
export interface ClassTotals {
  readonly name: string
  /** Observations. They fade as those of the reporter do, of which they are a part. */
  readonly good: number
  readonly bad: number
  /** Reports. They are counted for the forecast and do not decay. */
  readonly goodCount: number
  readonly badCount: number
}

type MutableClass = { -readonly [K in keyof ClassTotals]: ClassTotals[K] }

export const NO_CLASSES: readonly ClassTotals[] = []

/** Single precision, so that the sums are stored exactly in four bytes each. */
const single = Math.fround

/**
 * The classes with one more report. Beyond the most that are kept of a reporter, the class with the
 * fewest observations makes room, so a reporter displaces no class of another one.
 */
export function withClassReport(
  model: Model,
  classes: readonly ClassTotals[],
  name: string,
  observation: number,
): readonly ClassTotals[] {
  if (model.classesMax === 0) {
    return classes
  }
  const known = placeOf(classes, name)
  const before = classes[known] ?? { name, good: 0, bad: 0, goodCount: 0, badCount: 0 }
  const isGood = observation > 0
  const after = {
    name,
    good: single(before.good + (isGood ? observation : 0)),
    bad: single(before.bad + (isGood ? 0 : -observation)),
    goodCount: before.goodCount + (isGood ? 1 : 0),
    badCount: before.badCount + (isGood ? 0 : 1),
  }
  const isFull = classes.length >= model.classesMax
  const all = classes.slice()
  all[known >= 0 ? known : isFull ? leastKnown(classes) : classes.length] = after
  return all
}

/** Spelt out: to spread takes several times as long. */
export function copyOfClass({ name, good, bad, goodCount, badCount }: ClassTotals): ClassTotals {
  return { name, good, bad, goodCount, badCount }
}

function placeOf(classes: readonly ClassTotals[], name: string): number {
  for (let i = 0; i < classes.length; i++) {
    if (classes[i]?.name === name) {
      return i
    }
  }
  return -1
}

/** Of several that have as few observations, the first. */
function leastKnown(classes: readonly ClassTotals[]): number {
  let least = 0
  for (const [i, { good, bad }] of classes.entries()) {
    const fewest = classes[least]
    if (fewest && good + bad < fewest.good + fewest.bad) {
      least = i
    }
  }
  return least
}

/** The classes with observations multiplied by a factor: written to where nothing else refers to them
 *  (`isOwned`), otherwise copies. */
export function fadedClasses(
  classes: readonly ClassTotals[],
  factor: number,
  isOwned: boolean,
): readonly ClassTotals[] {
  if (classes.length === 0) {
    return classes
  }
  const faded = isOwned ? classes : classes.map(copyOfClass)
  for (const one of faded as readonly MutableClass[]) {
    one.good = single(one.good * factor)
    one.bad = single(one.bad * factor)
  }
  return faded
}
