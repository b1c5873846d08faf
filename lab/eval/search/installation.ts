/** An installation of a simulation: platforms, agents of others, and an honest agent to attack. */

import type { EventLine, Line } from '../../../cli/src/simulate/line.ts'
import { DEFAULT_SETTINGS } from '../../../cli/src/simulate/settings.ts'
import { createSimulator, type Simulator } from '../../../cli/src/simulate/simulator.ts'
import type { Model } from '../../../src/domain/model.ts'
import { below, type Chance, chanceOf } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { honestDay, type Planned } from '../bounds/days.ts'
import type { Attacker, Goal } from './attacker.ts'

export const START = Date.UTC(2026, 0, 1)
export const TARGET = 'target'
/** Days of the honest agent before the attack, and days on which an attack is given up. */
export const AGE_DAYS = 90
const DAYS_MAX = 120

const HONEST = ['honest-1', 'honest-2', 'honest-3']
export const OTHERS = Array.from({ length: 12 }, (_, i) => `other-${i + 1}`)

/** Honest agents of as many owners, of which each honest platform reports on most days. */
const OTHERS_SHARE = 0.7
const OTHERS_GOOD = 0.97

export interface Platforms {
  readonly honest: readonly string[]
  readonly bribed: readonly string[]
  readonly own: readonly string[]
}

export function platformsOf({ bribed, ownMax }: Attacker): Platforms {
  const names = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}`)
  return {
    honest: HONEST,
    bribed: names('bribed', bribed),
    own: names('own', ownMax),
  }
}

/** What honest platforms report on each day from `START` on; the same for every plan. */
export function honestDays(attacker: Attacker, goal: Goal, seed: number): readonly Line[][] {
  const chance = chanceOf(seed)
  const isVictim = goal.name === 'ruin'
  return Array.from({ length: (isVictim ? AGE_DAYS : 0) + DAYS_MAX }, (_, day) => {
    const work = isVictim ? honestDay(chance, TARGET, { on: HONEST }) : []
    const others = attacker.isBuilt
      ? OTHERS.flatMap((agent) =>
          HONEST.filter(() => chance() < OTHERS_SHARE).map((by): Planned => {
            const type = chance() < OTHERS_GOOD ? 'task.completed' : 'task.failed'
            return { agent, ms: below(chance, DAY_MS), by, type, data: {}, isAttack: false }
          }),
        )
      : []
    const events = [...work, ...others].sort((a, b) => a.ms - b.ms)
    return events.map((event) =>
      lineOf(attacker.namesParties ? { ...event, data: withParty(event, chance) } : event, day),
    )
  })
}

/** Customers of the honest agent. */
const CUSTOMERS = 40

function withParty({ data }: Planned, chance: Chance): Planned['data'] {
  return { ...data, counterparty: `customer-${below(chance, CUSTOMERS)}` }
}

function lineOf({ agent, ms, by, type, data }: Planned, day: number): EventLine {
  const at = START + day * DAY_MS + ms
  return { kind: 'event', at, agent, by: by ?? 'self', event: { type, data } }
}

/** The engine of `npm run simulate`, with the platforms introduced. */
export function installation(attacker: Attacker, goal: Goal, model: Model): Simulator['next'] {
  const simulator = createSimulator({ ...DEFAULT_SETTINGS, model })
  const { honest, bribed, own } = platformsOf(attacker)
  const introduce = (platform: string, verified: boolean, owner: string | null = null) =>
    simulator.next({ kind: 'platform', at: START, platform, owner, verified })
  for (const platform of honest) {
    introduce(platform, !attacker.isNewInstallation)
  }
  for (const platform of bribed) {
    introduce(platform, true)
  }
  for (const platform of own) {
    // Two platforms of one owner are no more than one: the attacker has an account for each.
    introduce(platform, false, `owner-of-${platform}`)
  }
  if (goal.name === 'ruin') {
    const [by = ''] = honest
    simulator.next({ kind: 'issue', at: START, agent: TARGET, by, type: 'KycVerified' })
  }
  return (line) => simulator.next(line)
}
