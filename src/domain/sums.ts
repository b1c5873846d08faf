/** Sums of observations: good and bad ones, of work and of money. */

/** Of all reports of a reporter, of those since its alarm began, or of those about one group of counterparties. */
export interface Sums {
  readonly reliabilityGood: number
  readonly reliabilityBad: number
  readonly financialGood: number
  readonly financialBad: number
}

/** The form that folding writes to. */
export type MutableSums = { -readonly [K in keyof Sums]: Sums[K] }

export const NO_SUMS: Sums = {
  reliabilityGood: 0,
  reliabilityBad: 0,
  financialGood: 0,
  financialBad: 0,
}

/** Sums are kept in single precision, so that they are stored exactly in four bytes each. */
export const single = Math.fround

/** Whether anything was observed that has not decayed to nothing. */
export function hasReports(sums: Sums): boolean {
  return weightOfWork(sums) > 0 || weightOfMoney(sums) > 0
}

export function weightOfWork({ reliabilityGood, reliabilityBad }: Sums): number {
  return reliabilityGood + reliabilityBad
}

export function weightOfMoney({ financialGood, financialBad }: Sums): number {
  return financialGood + financialBad
}

/** Adds an observation from −1 to 1 of one dimension. */
export function addObservation(sums: MutableSums, isWork: boolean, observation: number): void {
  if (observation > 0) {
    if (isWork) {
      sums.reliabilityGood = single(sums.reliabilityGood + observation)
    } else {
      sums.financialGood = single(sums.financialGood + observation)
    }
  } else if (isWork) {
    sums.reliabilityBad = single(sums.reliabilityBad - observation)
  } else {
    sums.financialBad = single(sums.financialBad - observation)
  }
}

export function joinedSums(one: Sums, other: Sums): Sums {
  return {
    reliabilityGood: single(one.reliabilityGood + other.reliabilityGood),
    reliabilityBad: single(one.reliabilityBad + other.reliabilityBad),
    financialGood: single(one.financialGood + other.financialGood),
    financialBad: single(one.financialBad + other.financialBad),
  }
}

/** The sums times a factor for each dimension. */
export function scaledSums(sums: Sums, work: number, money: number): Sums {
  return {
    reliabilityGood: single(sums.reliabilityGood * work),
    reliabilityBad: single(sums.reliabilityBad * work),
    financialGood: single(sums.financialGood * money),
    financialBad: single(sums.financialBad * money),
  }
}
