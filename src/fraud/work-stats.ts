/**
 * How hard a kind of work is, learnt from outcomes: the logarithm of the odds by which it fails more
 * often than the agents that did it are presumed to fail. A kind keeps one figure and the owners whose
 * agents taught it. What a reporter declares (`difficulty`, `taskClass`) only names the kind. Each
 * platform's kinds are its own, so that no platform makes another's reports count more or less; only
 * until a platform has seen enough, what all of them learnt first of that name stands in.
 */
import type { EventData } from '../domain/event.ts'
import { clamp, exp } from '../domain/math.ts'
import { isTestId, testIdOf } from '../domain/mode.ts'
import type { Model } from '../domain/model.ts'

export interface WorkStats {
  readonly hardness: number
  readonly seen: number
  /** How many outcomes each owner has taught. */
  readonly owners: ReadonlyMap<string, number>
}

/** The form that is written to; all other code has WorkStats. */
export interface MutableWorkStats {
  hardness: number
  seen: number
  readonly owners: Map<string, number>
}

/** A task class is free text, so each platform's kinds are limited: at 3 kB each this is 3 MB. */
export const WORK_KINDS_MAX = 1_000

export const NO_WORK: WorkStats = { hardness: 0, seen: 0, owners: new Map() }

/** A copy that nothing else refers to. */
export function copyOfWork({ hardness, seen, owners }: WorkStats): MutableWorkStats {
  return { hardness, seen, owners: new Map(owners) }
}

/**
 * Up to three owners teach nothing that counts, a dozen all of it: between them they may be one attacker.
 * Judgement.
 */
const OWNERS_MIN = 3
const OWNERS_FULL = 12
const OWNERS_MAX = 64
/** An owner's outcomes teach less the more of them there are: after this many, half. */
const OWNER_HALF = 20
/** Typical work succeeds nine times in ten: what an agent is presumed to do until it is known. */
const TYPICAL_ODDS = 9
const PRESUMED = 10
/** A step in logarithms of odds for the first outcomes, and the least that is learnt later. */
const STEP_FIRST = 0.3
const STEP_MIN = 0.02
const STEP_HALF = 60
/** Beyond it rates are not distinguished; the model limits what counts further. */
const HARDNESS_MAX = 6

/** Instead of a platform's id: what all platforms learnt of a kind, each from its first outcomes. */
const EVERY_PLATFORM = '00000000-0000-0000-0000-000000000000'
/** Test data has statistics of its own, so that it does not affect live agents. */
const EVERY_TEST_PLATFORM = testIdOf(EVERY_PLATFORM)

/** The names of a kind of work: as the platform's own, and as all platforms share it. */
export interface WorkKind {
  readonly own: string
  readonly shared: string
}

/** The kind of work of a platform's event; null where nothing names it. */
export function workKindOf(
  platformId: string,
  { difficulty, taskClass }: EventData,
): WorkKind | null {
  if (difficulty === undefined && taskClass === undefined) {
    return null
  }
  const name = `${taskClass ?? ''}/${difficulty ?? 0}`
  const every = isTestId(platformId) ? EVERY_TEST_PLATFORM : EVERY_PLATFORM
  return { own: `${platformId} ${name}`, shared: `${every} ${name}` }
}

/**
 * Outcomes after which a platform relies on its own alone, and no longer teaches what is shared: with fewer, an
 * agent's first failures at hard work weigh for months. Measured.
 */
const OWN_ENOUGH = 50

/** Whether what the other platforms learnt of the kind no longer matters to this one. */
export function reliesOnOwn({ seen }: WorkStats): boolean {
  return seen >= OWN_ENOUGH
}

/** What is known of a kind: by the platform itself, and shared by all. */
export interface KnownWork {
  readonly own: WorkStats
  readonly shared: WorkStats
}

/** What is recorded on the event as `hardness`, in thousandths. */
export function hardnessOf(model: Model, { own, shared }: KnownWork): number {
  const trusted = trustedShare(own)
  const missing = (1 - trusted) * Math.max(0, 1 - own.seen / OWN_ENOUGH)
  const hardness = trusted * own.hardness + missing * sharedHardness(shared)
  return Math.round(1000 * clamp(hardness, -model.hardnessMax, model.hardnessMax)) / 1000
}

function sharedHardness(shared: WorkStats): number {
  return trustedShare(shared) * shared.hardness
}

function trustedShare({ owners }: WorkStats): number {
  return clamp((owners.size - OWNERS_MIN) / (OWNERS_FULL - OWNERS_MIN), 0, 1)
}

export interface WorkOutcome {
  readonly owner: string
  readonly isGood: boolean
  /** Good and bad observations of the agent's work before. */
  readonly agentGood: number
  readonly agentBad: number
}

/** Adds an outcome to the statistics of a platform, which begin with what the others learnt. */
export function addOwnOutcome(
  own: MutableWorkStats,
  shared: WorkStats,
  outcome: WorkOutcome,
): void {
  if (own.seen === 0) {
    own.hardness = sharedHardness(shared)
  }
  addWorkOutcome(own, outcome)
}

/** Whether an outcome adds to what all platforms share, beside the platform's own before it. */
export function teachesAll({ own, shared }: KnownWork, owner: string): boolean {
  return !reliesOnOwn(own) && hasRoom(shared, owner)
}

/** Adds an outcome to statistics, except for one of an owner beyond the most that are kept. */
export function addWorkOutcome(stats: MutableWorkStats, outcome: WorkOutcome): void {
  const { owner, isGood, agentGood, agentBad } = outcome
  if (!hasRoom(stats, owner)) {
    return
  }
  const presumedBad = PRESUMED / (1 + TYPICAL_ODDS)
  const odds = (agentGood + presumedBad * TYPICAL_ODDS) / (agentBad + presumedBad)
  const expected = odds / (odds + exp(stats.hardness))
  const count = stats.owners.get(owner) ?? 0
  const learning = Math.max(STEP_MIN, STEP_FIRST / (1 + stats.seen / STEP_HALF))
  const step = learning / (1 + count / OWNER_HALF)
  const moved = stats.hardness + step * (expected - (isGood ? 1 : 0))
  stats.hardness = clamp(moved, -HARDNESS_MAX, HARDNESS_MAX)
  stats.seen += 1
  stats.owners.set(owner, count + 1)
}

/** Adds outcomes that another node learnt of an owner, except for how hard they were. */
export function addTeaching(stats: MutableWorkStats, owner: string, outcomes: number): void {
  if (hasRoom(stats, owner)) {
    stats.hardness = clamp(stats.hardness, -HARDNESS_MAX, HARDNESS_MAX)
    stats.owners.set(owner, (stats.owners.get(owner) ?? 0) + outcomes)
  }
}

function hasRoom({ owners }: WorkStats, owner: string): boolean {
  return owners.size < OWNERS_MAX || owners.has(owner)
}

/** As they are stored, owners in the order of their first outcome. */
interface StoredWork extends Omit<WorkStats, 'owners'> {
  readonly owners: readonly { readonly owner: string; readonly count: number }[]
}

export function encodeWork({ hardness, seen, owners }: WorkStats): string {
  const stored: StoredWork = {
    hardness,
    seen,
    owners: Array.from(owners, ([owner, count]) => ({ owner, count })),
  }
  return JSON.stringify(stored)
}

export function decodeWork(text: string): WorkStats {
  const { hardness, seen, owners } = JSON.parse(text) as StoredWork
  return { hardness, seen, owners: new Map(owners.map(({ owner, count }) => [owner, count])) }
}
