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
  /** Those of them that taught by an agent that was known. */
  readonly knownOwners: ReadonlySet<string>
}

/** The form that is written to; all other code has WorkStats. */
export interface MutableWorkStats {
  hardness: number
  seen: number
  readonly owners: Map<string, number>
  readonly knownOwners: Set<string>
}

/** A task class is free text, so each platform's kinds are limited: at 3 kB each this is 3 MB. */
export const WORK_KINDS_MAX = 1_000

export const NO_WORK: WorkStats = {
  hardness: 0,
  seen: 0,
  owners: new Map(),
  knownOwners: new Set(),
}

/** A copy that nothing else refers to. */
export function copyOfWork({ hardness, seen, owners, knownOwners }: WorkStats): MutableWorkStats {
  return { hardness, seen, owners: new Map(owners), knownOwners: new Set(knownOwners) }
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
/**
 * Tasks from which on an agent is known. What is learnt from agents that are not counts for such agents
 * only: otherwise a dozen new agents that fail three times each make a kind of work so hard that an agent with a good
 * record can fail at it without end.
 */
const KNOWN_MIN = 40
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

/** What an agent's work was before an outcome. */
export interface AgentWork {
  /** Good and bad observations, in which hard and easy work counts less. */
  readonly agentGood: number
  readonly agentBad: number
  /** Tasks, however hard: no platform moves this by making work look hard. */
  readonly agentTasks: number
}

/** What is recorded on the event of an agent as `hardness`, in thousandths. */
export function hardnessOf(model: Model, { own, shared }: KnownWork, agent: AgentWork): number {
  const trusted = trustedShare(own, agent)
  const missing = (1 - shareOf(own.owners.size)) * Math.max(0, 1 - own.seen / OWN_ENOUGH)
  const hardness = trusted * own.hardness + missing * trustedShare(shared, agent) * shared.hardness
  const counted = hardness < 0 ? Math.min(0, hardness + model.easyFrom) : hardness
  return Math.round(1000 * clamp(counted, -model.hardnessMax, model.hardnessMax)) / 1000
}

/** The more is known of an agent, the more it takes agents that are known themselves. */
function trustedShare({ owners, knownOwners }: WorkStats, { agentTasks }: AgentWork): number {
  const unknown = KNOWN_MIN / (KNOWN_MIN + agentTasks)
  return unknown * shareOf(owners.size) + (1 - unknown) * shareOf(knownOwners.size)
}

function shareOf(owners: number): number {
  return clamp((owners - OWNERS_MIN) / (OWNERS_FULL - OWNERS_MIN), 0, 1)
}

export interface WorkOutcome extends AgentWork {
  readonly owner: string
  readonly isGood: boolean
}

/** Adds an outcome to the statistics of a platform, which begin with what the others learnt. */
export function addOwnOutcome(
  own: MutableWorkStats,
  shared: WorkStats,
  outcome: WorkOutcome,
): void {
  if (own.seen === 0) {
    own.hardness = shareOf(shared.owners.size) * shared.hardness
  }
  addWorkOutcome(own, outcome)
}

/** Whether an outcome adds to what all platforms share, beside the platform's own before it. */
export function teachesAll(
  { own, shared }: KnownWork,
  { owner, agentTasks }: Pick<WorkOutcome, 'owner' | 'agentTasks'>,
): boolean {
  return !reliesOnOwn(own) && hasRoom(shared, owner, agentTasks >= KNOWN_MIN)
}

/** Adds an outcome to statistics, except for one of an owner beyond the most that are kept. */
export function addWorkOutcome(stats: MutableWorkStats, outcome: WorkOutcome): void {
  const { owner, isGood, agentGood, agentBad, agentTasks } = outcome
  const isKnown = agentTasks >= KNOWN_MIN
  if (!hasRoom(stats, owner, isKnown)) {
    return
  }
  const presumedBad = PRESUMED / (1 + TYPICAL_ODDS)
  const odds = (agentGood + presumedBad * TYPICAL_ODDS) / (agentBad + presumedBad)
  const expected = odds / (odds + exp(stats.hardness))
  const count = stats.owners.get(owner) ?? 0
  const learning = Math.max(STEP_MIN, STEP_FIRST / (1 + stats.seen / STEP_HALF))
  const step = learning / (1 + count / OWNER_HALF)
  const moved = stats.hardness + step * (expected - (isGood ? 1 : 0))
  stats.hardness = boundedHardness(moved)
  stats.seen += 1
  addOwner(stats, owner, { outcomes: 1, isKnown })
}

/** Adds what another node learnt from outcomes of an owner, except for how hard they were. */
export function addTeaching(stats: MutableWorkStats, owner: string, teaching: Teaching): void {
  if (hasRoom(stats, owner, teaching.isKnown)) {
    addOwner(stats, owner, teaching)
  }
}

interface Teaching {
  readonly outcomes: number
  readonly isKnown: boolean
}

/** One of a known agent takes the place of one that is not, where all are taken. */
function addOwner(
  { owners, knownOwners }: MutableWorkStats,
  owner: string,
  { outcomes, isKnown }: Teaching,
): void {
  if (owners.size >= OWNERS_MAX && !owners.has(owner)) {
    const replaced = [...owners.keys()].find((one) => !knownOwners.has(one))
    owners.delete(replaced ?? '')
  }
  owners.set(owner, (owners.get(owner) ?? 0) + outcomes)
  if (isKnown) {
    knownOwners.add(owner)
  }
}

/** Hardness as it is kept: sums of what nodes learnt apart may exceed it. */
export function boundedHardness(hardness: number): number {
  return clamp(hardness, -HARDNESS_MAX, HARDNESS_MAX)
}

/** Otherwise accounts that let one order fail each could take all places, and no one would teach known agents. */
function hasRoom({ owners, knownOwners }: WorkStats, owner: string, isKnown: boolean): boolean {
  return (
    owners.size < OWNERS_MAX || owners.has(owner) || (isKnown && knownOwners.size < owners.size)
  )
}

/** As they are stored, owners in the order of their first outcome. */
interface StoredWork extends Pick<WorkStats, 'hardness' | 'seen'> {
  readonly owners: readonly {
    readonly owner: string
    readonly count: number
    /** Default true. */
    readonly isKnown?: boolean | undefined
  }[]
}

export function encodeWork({ hardness, seen, owners, knownOwners }: WorkStats): string {
  const stored: StoredWork = {
    hardness,
    seen,
    owners: Array.from(owners, ([owner, count]) => ({
      owner,
      count,
      // Left out for most owners, so that a row with the most of them is written whole (migration 0011).
      isKnown: knownOwners.has(owner) ? undefined : false,
    })),
  }
  return JSON.stringify(stored)
}

export function decodeWork(text: string): WorkStats {
  const { hardness, seen, owners } = JSON.parse(text) as StoredWork
  return {
    hardness,
    seen,
    owners: new Map(owners.map(({ owner, count }) => [owner, count])),
    knownOwners: new Set(owners.flatMap(({ owner, isKnown = true }) => (isKnown ? [owner] : []))),
  }
}
