/** The cheapest plan that reaches a goal: random restarts, and from each a climb by small changes. */

import type { Model } from '../../../src/domain/model.ts'
import { below, type Chance, chanceOf } from '../../../src/domain/testing/chance.ts'
import type { Attacker, Goal } from './attacker.ts'
import { GENES, type Genes, type Plan, planOf } from './plan.ts'
import { ACCOUNT_PRICE, createPlayer, type Outcome } from './play.ts'

export interface Found {
  readonly plan: Plan
  readonly outcome: Outcome
}

export interface SearchPlan {
  readonly attacker: Attacker
  readonly goal: Goal
  readonly seed: number
  /** Plans that are played. */
  readonly budget: number
  readonly model: Model
}

/** Plans played from one start on. In the second half of the budget each climb starts from the best. */
const CLIMB = 15
/** The most that a figure is moved, and how often it is drawn again instead. */
const STEP = 0.2
const REDRAWN = 0.2

interface Tried {
  readonly genes: Genes
  readonly price: number
}

/** The cheapest plan found; equal for the same seed. Null where no plan reached the goal. */
export function search({ attacker, goal, model, seed, budget }: SearchPlan): Found | null {
  const chance = chanceOf(seed)
  const play = createPlayer({ attacker, goal, model, seed })
  let best: (Found & Tried) | null = null
  let current: Tried | null = null
  for (let i = 0; i < budget; i++) {
    if (i % CLIMB === 0) {
      current = i >= budget / 2 ? best : null
    }
    const genes: Genes = current ? changed(current.genes, chance) : drawn(chance)
    const plan = planOf(genes, attacker, goal)
    const outcome = play(plan)
    const price = priceOf(outcome)
    if (!current || price <= current.price) {
      current = { genes, price }
    }
    if (outcome.isReached && (!best || price < best.price)) {
      best = { plan, outcome, genes, price }
    }
  }
  return best && { plan: best.plan, outcome: best.outcome }
}

/** What the search ranks by, in dollars: not what these things cost, but which of two to prefer. */
const RANKED_AS = {
  account: ACCOUNT_PRICE,
  day: 0.1,
  event: 0.001,
  ownPlatform: 100,
  honestPlatform: 0.25,
} as const

/** Beyond any price: what did not reach the goal is ranked by how near it came. */
const NOT_REACHED = 1e9

function priceOf(outcome: Outcome): number {
  const { isReached, nearness, dollars, accounts, days, events } = outcome
  if (!isReached) {
    return NOT_REACHED - nearness
  }
  return (
    dollars +
    RANKED_AS.account * accounts +
    RANKED_AS.day * days +
    RANKED_AS.event * events +
    RANKED_AS.ownPlatform * outcome.ownPlatforms +
    RANKED_AS.honestPlatform * outcome.honestPlatforms
  )
}

function drawn(chance: Chance): Genes {
  return Array.from({ length: GENES }, chance)
}

/** One to three figures moved, or drawn again. */
function changed(genes: Genes, chance: Chance): Genes {
  const after = [...genes]
  for (let count = 1 + below(chance, 3); count > 0; count--) {
    const i = below(chance, GENES)
    const moved = (genes[i] ?? 0) + 2 * STEP * (chance() - 0.5)
    after[i] = chance() < REDRAWN ? chance() : Math.min(0.999, Math.max(0, moved))
  }
  return after
}
