/**
 * What the counterparties of an agent add to the sums of one reporter. Where a reporter names them, each
 * counts for what it said last, and for a few observations at most, however often it is named.
 */

import { groupAt, groupOf } from './group.ts'
import type { Model } from './model.ts'
import { type MutableSums, type Sums, single } from './sums.ts'

/**
 * Of each group that has a report its number and its four sums, in the order of Sums, one after the other. Groups are in
 * the order of their numbers, sums in single precision.
 */
export type PartySums = readonly number[]

export const NO_PARTIES: PartySums = []

/** The figures of one group. */
export const PARTY_LENGTH = 5

/** The place of a sum in a group. */
export type SumPlace = 0 | 1 | 2 | 3

/** The group of a counterparty. The service names it by a keyed hash, so no reporter can choose a name that
 *  falls into a certain group. */
export function partyOf({ partiesMax }: Model, name: string): number {
  return groupOf(name, partiesMax)
}

/**
 * The group of the nth report without a counterparty by a reporter that has named one. If such reports counted in
 * full, they would outweigh the named ones, which are limited. Good ones are spread over all groups. Bad ones that named
 * good ones offset (`isCovered`) are spread over the groups that have reports, so that they meet the good ones. The
 * others are spread over all groups, and so are all where the reporter has more reports from before it named anyone:
 * otherwise one named customer would hide any number of bad reports without a name.
 */
export function unnamedPartyOf(
  { partiesMax, partyGoodMax }: Model,
  sums: Sums,
  parties: PartySums,
  report: { readonly isGood: boolean; readonly isCovered: boolean; readonly count: number },
): number {
  const { isGood, isCovered, count } = report
  const known = parties.length / PARTY_LENGTH
  if (isGood || !isCovered || ungrouped(sums, parties) > known * partyGoodMax) {
    return groupAt(count, partiesMax)
  }
  return parties[PARTY_LENGTH * groupAt(count, known)] as number
}

/** Observations that belong to no group. */
function ungrouped(sums: Sums, parties: PartySums): number {
  let rest = sums.reliabilityGood + sums.reliabilityBad + sums.financialGood + sums.financialBad
  for (let i = 0; i < parties.length; i++) {
    rest -= i % PARTY_LENGTH === 0 ? 0 : (parties[i] as number)
  }
  return rest
}

/** Groups that may be written to: the same where nothing else refers to them, otherwise a copy. */
export function partiesToWrite(parties: PartySums, isOwned: boolean): number[] {
  return isOwned && parties.length > 0 ? (parties as number[]) : parties.slice()
}

/** Where the sums of a group are. One that has no report yet is added. */
function sumsOf(parties: number[], group: number): number {
  let place = 0
  while (place < parties.length && (parties[place] as number) < group) {
    place += PARTY_LENGTH
  }
  if (parties[place] !== group) {
    parties.splice(place, 0, group, 0, 0, 0, 0)
  }
  return place + 1
}

export interface PartyReport {
  readonly party: number
  readonly place: SumPlace
  /** How much the report says, 0 to 1. */
  readonly observed: number
}

/**
 * Adds a report to its group, and what that changes to the sums of the reporter. Where a group would then
 * be above its mass, good and bad of it are scaled down together; what its own side keeps of the report is
 * added to the report's sum. So a bad report lowers no bad sum, of the other dimension neither, and a good
 * one no good sum.
 */
export function addPartyReport(
  { partyGoodMax, partyBadMax }: Model,
  sums: MutableSums,
  parties: number[],
  { party, place, observed }: PartyReport,
): void {
  const first = sumsOf(parties, party)
  const own = first + (place % 2)
  const other = first + 1 - (place % 2)
  const isGood = place % 2 === 0
  const workBefore = parties[other] as number
  const moneyBefore = parties[other + 2] as number
  const placeBefore = parties[first + place] as number
  const ownSide = (parties[own] as number) + (parties[own + 2] as number)
  const otherSide = workBefore + moneyBefore
  const ownMax = isGood ? partyGoodMax : partyBadMax
  const otherMax = isGood ? partyBadMax : partyGoodMax
  const filled = (ownSide + observed) / ownMax + otherSide / otherMax
  const scale = filled > 1 ? 1 / filled : 1
  // Divided, not scaled: in a group with one side only this is exactly the most that side may hold, so no
  // severity of a report adds a rounding to it.
  const kept = filled > 1 ? (ownSide + observed) / filled : ownSide + observed
  const added = Math.max(0, kept - ownSide)
  const after = single(placeBefore + added)
  const work = single(workBefore * scale)
  const money = single(moneyBefore * scale)
  parties[first + place] = after
  parties[other] = work
  parties[other + 2] = money
  switch (place) {
    case 0:
      sums.reliabilityGood = risen(sums.reliabilityGood, placeBefore, after)
      break
    case 1:
      sums.reliabilityBad = risen(sums.reliabilityBad, placeBefore, after)
      break
    case 2:
      sums.financialGood = risen(sums.financialGood, placeBefore, after)
      break
    case 3:
      sums.financialBad = risen(sums.financialBad, placeBefore, after)
  }
  if (isGood) {
    sums.reliabilityBad = fallen(sums.reliabilityBad, workBefore, work)
    sums.financialBad = fallen(sums.financialBad, moneyBefore, money)
  } else {
    sums.reliabilityGood = fallen(sums.reliabilityGood, workBefore, work)
    sums.financialGood = fallen(sums.financialGood, moneyBefore, money)
  }
}

/** A sum with the part of one group replaced. */
function replaced(sum: number, before: number, after: number): number {
  return single(Math.max(0, sum - before) + after)
}

/** Roundings of years must not make a good report lower a good sum, or raise a bad one. */
function risen(sum: number, before: number, after: number): number {
  return Math.max(sum, replaced(sum, before, after))
}

function fallen(sum: number, before: number, after: number): number {
  return Math.min(sum, replaced(sum, before, after))
}

/** Moves the groups to a later day: they decay as the sums of which they are a part. */
export function fadeParties(parties: number[], work: number, money: number): void {
  for (let i = 1; i < parties.length; i += PARTY_LENGTH) {
    parties[i] = single((parties[i] as number) * work)
    parties[i + 1] = single((parties[i + 1] as number) * work)
    parties[i + 2] = single((parties[i + 2] as number) * money)
    parties[i + 3] = single((parties[i + 3] as number) * money)
  }
}
