/**
 * What the counterparties of an agent add to the sums of one reporter. Where a reporter names them, each
 * counts for what it said last, and for a few observations at most, however often it is named.
 */

import type { Model } from './model.ts'

/** Sums of observations: of all reports of a reporter, or of those about one group of counterparties. */
export interface Sums {
  readonly reliabilityGood: number
  readonly reliabilityBad: number
  readonly financialGood: number
  readonly financialBad: number
}

/** Four sums of each group, in the order of Sums, in single precision; empty where none was named.
 *  Replaced, never written to. */
export type PartySums = Float32Array

export const NO_PARTIES: PartySums = new Float32Array(0)

/** Sums of one group. */
export const PARTY_SUMS = 4

/** The place of a sum in a group. */
export type SumPlace = 0 | 1 | 2 | 3

const single = Math.fround

/**
 * The group of a counterparty: FNV-1a of its name, of 32 bits. The service names it by a keyed hash, so
 * nobody can choose a name that falls into a certain group.
 */
export function partyOf({ partiesMax }: Model, name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % partiesMax
}

/**
 * The groups with one report more. Where a group would then be above its mass, good and bad of it are
 * scaled down together; what its own side keeps of the report is added to the report's sum. So a bad
 * report lowers no bad sum, of the other dimension neither, and a good one no good sum.
 */
export function withPartyReport(
  { partiesMax, partyGoodMax, partyBadMax }: Model,
  before: PartySums,
  party: number,
  place: SumPlace,
  observed: number,
): PartySums {
  const parties = before.length > 0 ? before.slice() : new Float32Array(PARTY_SUMS * partiesMax)
  const first = PARTY_SUMS * party
  const own = first + (place % 2)
  const other = first + 1 - (place % 2)
  const isGood = place % 2 === 0
  const ownSide = (parties[own] as number) + (parties[own + 2] as number)
  const otherSide = (parties[other] as number) + (parties[other + 2] as number)
  const [ownMax, otherMax] = isGood ? [partyGoodMax, partyBadMax] : [partyBadMax, partyGoodMax]
  const filled = (ownSide + observed) / ownMax + otherSide / otherMax
  const scale = filled > 1 ? 1 / filled : 1
  // Divided, not scaled: in a group with one side only this is exactly the most that side may hold, so no
  // severity of a report adds a rounding to it.
  const kept = filled > 1 ? (ownSide + observed) / filled : ownSide + observed
  const added = Math.max(0, kept - ownSide)
  parties[first + place] = (parties[first + place] as number) + added
  parties[other] = (parties[other] as number) * scale
  parties[other + 2] = (parties[other + 2] as number) * scale
  return parties
}

/** The sums of the reporter after such a report: the part of that group is replaced. */
export function sumsWithParty(
  sums: Sums,
  before: PartySums,
  after: PartySums,
  party: number,
  place: SumPlace,
): Sums {
  const replaced = (sum: number, i: SumPlace) => {
    const at = PARTY_SUMS * party + i
    const rest = Math.max(0, sum - (before[at] ?? 0))
    const replacement = single(rest + (after[at] as number))
    // Roundings of years must not make a good report lower a good sum, or raise a bad one.
    return i === place ? Math.max(sum, replacement) : Math.min(sum, replacement)
  }
  return {
    reliabilityGood: replaced(sums.reliabilityGood, 0),
    reliabilityBad: replaced(sums.reliabilityBad, 1),
    financialGood: replaced(sums.financialGood, 2),
    financialBad: replaced(sums.financialBad, 3),
  }
}

/** The groups on a later day: they fade as the sums of which they are a part. */
export function fadedParties(parties: PartySums, work: number, money: number): PartySums {
  if (parties.length === 0) {
    return parties
  }
  const faded = parties.slice()
  for (let i = 0; i < faded.length; i++) {
    faded[i] = (faded[i] as number) * (i % PARTY_SUMS < 2 ? work : money)
  }
  return faded
}
