/** The goals of attacks, and the means of attackers. */

import { EXCELLENT, FAIR, GOOD } from '../tiers.ts'

export type GoalName = 'good' | 'excellent' | 'ruin'

export interface Goal {
  readonly name: GoalName
  readonly label: string
  isReached(score: number): boolean
  /** How near a score is to the goal; the nearer, the more. */
  nearness(score: number): number
}

export const GOALS: readonly Goal[] = [
  {
    name: 'good',
    label: 'raise a worthless agent to Good',
    isReached: (score) => score >= GOOD,
    nearness: (score) => score - GOOD,
  },
  {
    name: 'excellent',
    label: 'raise a worthless agent to Excellent',
    isReached: (score) => score >= EXCELLENT,
    nearness: (score) => score - EXCELLENT,
  },
  {
    name: 'ruin',
    label: 'take an honest Good agent below Fair',
    isReached: (score) => score < FAIR,
    nearness: (score) => FAIR - score,
  },
]

/** How reports come about: by orders at honest platforms, or made up by platforms. */
export type Channel = 'orders' | 'bribed' | 'own'

export interface Attacker {
  readonly name: string
  readonly label: string
  readonly channels: readonly Channel[]
  /** Established platforms that report what the attacker wants. */
  readonly bribed: number
  /** The most platforms of its own that it may have admitted. */
  readonly ownMax: number
  /** Whether these earn their establishment first. */
  readonly isBuilt: boolean
  /** Whether no platform of the installation is established. */
  readonly isNewInstallation: boolean
  /** Whether honest platforms name the counterparties of tasks and payments. */
  readonly namesParties: boolean
  /** Plans that are played, in budgets: more where there is more to choose. */
  readonly budgets: number
}

const NOTHING = {
  channels: [] as readonly Channel[],
  bribed: 0,
  ownMax: 0,
  isBuilt: false,
  isNewInstallation: false,
  namesParties: false,
  budgets: 1,
}

const bribes = (bribed: number): Attacker => ({
  ...NOTHING,
  name: `bribed-${bribed}`,
  label: `${bribed} established platform${bribed > 1 ? 's' : ''} bribed`,
  channels: ['bribed'],
  bribed,
})

/** The most platforms that one attacker gets admitted: an operator would see more. */
const OWN_MAX = 12

export const ATTACKERS: readonly Attacker[] = [
  {
    ...NOTHING,
    name: 'orders',
    label: 'no platform: orders at honest ones, from accounts of its own',
    channels: ['orders'],
    budgets: 2,
  },
  {
    ...NOTHING,
    name: 'orders-named',
    label: 'the same at platforms that name the counterparty',
    channels: ['orders'],
    namesParties: true,
    budgets: 2,
  },
  {
    ...NOTHING,
    name: 'own',
    label: 'platforms of its own, not established',
    channels: ['own'],
    ownMax: OWN_MAX,
  },
  {
    ...NOTHING,
    name: 'own-new',
    label: 'the same in an installation without an established platform',
    channels: ['own'],
    ownMax: OWN_MAX,
    isNewInstallation: true,
  },
  {
    ...NOTHING,
    name: 'built-1',
    label: '1 platform of its own, built to established',
    channels: ['own'],
    ownMax: 1,
    isBuilt: true,
  },
  {
    ...NOTHING,
    name: 'built-2',
    label: '2 platforms of its own, built to established',
    channels: ['own'],
    ownMax: 2,
    isBuilt: true,
  },
  bribes(1),
  bribes(2),
  bribes(3),
]
