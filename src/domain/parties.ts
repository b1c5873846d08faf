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

/** Four sums of each group, in the order of Sums, in single precision; empty where none was named. */
export type PartySums = Float32Array

export const NO_PARTIES: PartySums = new Float32Array(0)

/** Sums of one group. */
export const PARTY_SUMS = 4

/** The place of a sum in a group. */
export type SumPlace = 0 | 1 | 2 | 3

const single = Math.fround

/**
 * The group of a counterparty: FNV-1a of its name, of 32 bits. The service names it by a keyed hash, so
 * no reporter can choose a name that falls into a certain group.
 */
export function partyOf({ partiesMax }: Model, name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  }
  return ((hash ^ (hash >>> 15)) >>> 0) % partiesMax
}

/** Groups that may be written to: the same where nothing else refers to them, otherwise a copy. */
export function partiesToWrite(
  { partiesMax }: Model,
  parties: PartySums,
  isOwned: boolean,
): PartySums {
  if (parties.length === 0) {
    return new Float32Array(PARTY_SUMS * partiesMax)
  }
  return isOwned ? parties : parties.slice()
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
  parties: PartySums,
  { party, place, observed }: PartyReport,
): void {
  const first = PARTY_SUMS * party
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
  parties[first + place] = placeBefore + added
  parties[other] = workBefore * scale
  parties[other + 2] = moneyBefore * scale
  const after = parties[first + place] as number
  const work = parties[other] as number
  const money = parties[other + 2] as number
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

type MutableSums = { -readonly [K in keyof Sums]: Sums[K] }

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
export function fadeParties(parties: PartySums, work: number, money: number): void {
  for (let i = 0; i < parties.length; i += PARTY_SUMS) {
    parties[i] = (parties[i] as number) * work
    parties[i + 1] = (parties[i + 1] as number) * work
    parties[i + 2] = (parties[i + 2] as number) * money
    parties[i + 3] = (parties[i + 3] as number) * money
  }
}
