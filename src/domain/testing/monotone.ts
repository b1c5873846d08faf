/**
 * The promise that a better report never lowers a score and a worse one never raises it, tried on random
 * histories: at every step one report of a reporter is compared with none, and with a better one.
 */

import { assess } from '../assess.ts'
import type { EventData, EventType } from '../event.ts'
import { impactOf } from '../event-weight.ts'
import { addEvent, type CountedEvent } from '../evidence.ts'
import { type Evidence, newEvidence } from '../evidence-state.ts'
import type { Model } from '../model.ts'
import { DAY_MS, HOUR_MS } from '../time.ts'
import { collectVotes } from '../votes.ts'
import { below, type Chance, chanceOf, pick } from './chance.ts'
import { DUST } from './dust.ts'

type Said = readonly [type: EventType, data: EventData]

/** Reports of one kind, from worse to better. */
const LADDERS: readonly (readonly Said[])[] = [
  [
    ['task.timeout', {}],
    ['task.failed', {}],
    ['task.completed', {}],
  ],
  (['critical', 'high', 'medium', 'low'] as const).map((severity) => [
    'error.reported',
    { severity },
  ]),
  [0, 80, 95, 99, 100].map((uptimePercentage) => ['uptime.report', { uptimePercentage }]),
  [
    ['payment.disputed', { amount: 50 }],
    ['payment.failed', { amount: 50 }],
    ['payment.late', { amount: 50, daysLate: 60 }],
    ['payment.late', { amount: 50, daysLate: 2 }],
    ['payment.completed', { amount: 50 }],
  ],
  [
    ['credential.revoked', {}],
    ['credential.issued', {}],
  ],
]

const GOOD: readonly Said[] = [
  ['task.completed', {}],
  ['payment.completed', { amount: 100 }],
]
const BAD: readonly Said[] = [
  ['task.failed', {}],
  ['payment.disputed', { amount: 100 }],
  ['error.reported', { severity: 'high' }],
]

/** The shares of good reports in histories of every kind, and in those of agents that stand high. */
const RATES = [
  [0, 0.05, 0.5, 0.9, 0.97, 1],
  [0.97, 1, 1],
] as const

/** Some agents only work, some are only paid: the first report of the other kind is tried as well. */
const KINDS = ['', '', 'task', 'payment'] as const

const START = 20_000 * DAY_MS

export interface Violations {
  readonly steps: number
  readonly comparisons: number
  readonly violations: number
  /** Steps at which complaints about deals limited what monitors weigh. */
  readonly limited: number
  /** Points of the greatest one. */
  readonly worst: number
}

interface World {
  readonly chance: Chance
  readonly rates: readonly number[]
  readonly weights: readonly number[]
  /** The share of their reports that weigh as those of the crowd: a reporter may lose its weight, and get it back. */
  readonly crowdShare: number
  /** Reporters that report uptime for the most part: those from this one on. */
  readonly monitorsFrom: number
  readonly paceMs: number
  /** How the types of all its reports begin: one kind, or nothing. */
  readonly kind: string
  /** Counterparties that are named; 0 for none. */
  readonly parties: number
}

/** Three comparisons a step, over as many histories as it takes. */
export function countViolations(model: Model, steps: number, seed: number): Violations {
  const chance = chanceOf(seed)
  let [done, violations, limited, worst] = [0, 0, 0, 0]
  while (done < steps) {
    const world = worldOf(chance)
    const length = Math.min(steps - done, 5 + below(chance, 600 * chance()))
    let at = START
    let evidence = newEvidence(model, at, chance() < 0.2 ? 60 : model.scoreMax)
    for (let i = 0; i < length; i++) {
      at += below(chance, world.paceMs)
      const reporter = below(chance, world.rates.length)
      const slip = slipOf(model, evidence, world, { reporter, at })
      violations += slip > DUST ? 1 : 0
      limited += isLimited(model, evidence) ? 1 : 0
      worst = Math.max(worst, slip)
      evidence = addEvent(model, evidence, nextEvent(world, reporter, at))
    }
    done += length
  }
  return {
    steps: done,
    comparisons: 3 * done,
    violations,
    limited,
    worst: worst > DUST ? worst : 0,
  }
}

function isLimited(model: Model, evidence: Evidence): boolean {
  const { weightFrom, inFavourFrom, count } = collectVotes(model, evidence)
  return weightFrom.subarray(0, count).some((weight, i) => weight !== inFavourFrom[i])
}

/** Up to ninety reporters, each with a rate and a weight of its own; few of them more often. */
function worldOf(chance: Chance): World {
  const reporters = 1 + below(chance, 90 * chance() ** 3)
  const each = <T>(list: readonly T[]) =>
    Array.from({ length: reporters }, () => pick(chance, list))
  return {
    chance,
    rates: each(pick(chance, RATES)),
    weights: each([1, 1, 0.5, 0.1]),
    crowdShare: pick(chance, [0, 0, 0.2, 0.6]),
    monitorsFrom: chance() < 0.3 ? below(chance, reporters) : reporters,
    paceMs: pick(chance, [0, 60_000, HOUR_MS, 20_000_000, 3 * DAY_MS]),
    kind: pick(chance, KINDS),
    parties: pick(chance, [0, 0, 1, 5, 200]),
  }
}

function weightOf({ chance, weights, crowdShare }: World, reporter: number): number {
  return chance() < crowdShare ? 0.1 : (weights[reporter] as number)
}

/** Points by which one report more, or a better one, changed the score the wrong way. */
function slipOf(
  model: Model,
  evidence: Evidence,
  world: World,
  { reporter, at }: { readonly reporter: number; readonly at: number },
): number {
  const { chance, parties } = world
  const ladder = pick(chance, LADDERS)
  const steps = [below(chance, ladder.length), below(chance, ladder.length)]
  const worse = ladder[Math.min(...steps)] as Said
  const better = ladder[Math.max(...steps)] as Said
  const rest = {
    reporter: `p${reporter}`,
    reporterWeight: weightOf(world, reporter),
    self: chance() < 0.05,
    hardness: chance() < 0.1 ? 4 * chance() - 2 : 0,
    at,
  }
  const wholeAfter = ([type, data]: Said) => {
    const event = { ...rest, type, data: { ...data, ...party } }
    return assess(model, addEvent(model, evidence, event), at).whole
  }
  const party = partyIn(chance, parties)
  const before = assess(model, evidence, at).whole
  const [afterWorse, afterBetter] = [wholeAfter(worse), wholeAfter(better)]
  const wrongWay = ([type, data]: Said, after: number) =>
    impactOf(model, type, data) === 'positive' ? before - after : after - before
  return Math.max(
    afterWorse - afterBetter,
    wrongWay(worse, afterWorse),
    wrongWay(better, afterBetter),
  )
}

/** The next report of the reporter: mostly by its rate, sometimes random. */
function nextEvent(world: World, reporter: number, at: number): CountedEvent {
  const { chance, rates, monitorsFrom, kind, parties } = world
  const reporterWeight = weightOf(world, reporter)
  const isGood = chance() < (rates[reporter] as number)
  if (reporter >= monitorsFrom && chance() < 0.98) {
    const data = { uptimePercentage: isGood ? 99.9 : 50 }
    return {
      type: 'uptime.report',
      data,
      reporter: `p${reporter}`,
      reporterWeight,
      self: false,
      at,
    }
  }
  const usual = (isGood ? GOOD : BAD).filter(([type]) => type.startsWith(kind))
  const isAnything = kind === '' && chance() < 0.1
  const [type, data] = pick(chance, isAnything ? pick(chance, LADDERS) : usual)
  const self = chance() < 0.05
  const named = { ...data, ...partyIn(chance, parties) }
  return { type, data: named, reporter: `p${reporter}`, reporterWeight, self, at }
}

/** Not every report names one. */
function partyIn(chance: Chance, parties: number): EventData {
  return parties > 0 && chance() < 0.8 ? { counterparty: `party-${below(chance, parties)}` } : {}
}
