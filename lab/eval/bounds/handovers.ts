/** What buying an agent, or replacing one, is worth to an attacker. */
import { FAIR, GOOD, POOR } from '../tiers.ts'
import { type Bound, type Check, NEVER, type Run } from './bound.ts'
import { age, createWorld, type World, worldWithAgent } from './world.ts'

const DAYS = 120

/** Cheats everyone for a month: the highest score and the largest exposure limit on the way. */
function misuse(world: World, agent: string): { readonly highest: number; readonly limit: number } {
  let highest = world.points(agent)
  let limit = 0
  for (let day = 0; day < 30; day++) {
    limit = Math.max(limit, world.score(agent).exposureLimit ?? 0)
    world.play(world.honestDay(agent, { good: 0 }), (at) => {
      highest = Math.max(highest, world.points(agent, at))
    })
  }
  return { highest, limit }
}

function daysToGood(world: World, agent: string): number {
  for (let day = 1; day <= DAYS; day++) {
    world.play(world.honestDay(agent))
    if (world.points(agent) >= GOOD) {
      return day
    }
  }
  return NEVER
}

/** A Good agent of half a year is bought, and cheats from the first day on. */
function bought(run: Run): readonly Check[] {
  const world = worldWithAgent(run, { honest: 3 })
  const before = world.score('agent').exposureLimit ?? 0
  world.transfer('agent', 'buyer')
  const { highest, limit } = misuse(world, 'agent')
  return [
    { measure: 'highest score after the sale', value: highest, asked: { most: FAIR - 1 } },
    { measure: '% of the exposure limit left', value: (100 * limit) / before, asked: { most: 5 } },
  ]
}

/** A bought agent in honest hands, against a new agent that works as well. */
function boughtHonestly(run: Run): readonly Check[] {
  const world = worldWithAgent(run, { honest: 3 }, { isCertified: false })
  world.transfer('agent', 'buyer')
  const old = daysToGood(world, 'agent')
  const fresh = createWorld(run, { honest: 3 })
  fresh.addAgent('new')
  return [
    { measure: 'days until Good again', value: old, asked: { least: 14, most: 30 } },
    {
      measure: 'days that a new agent takes longer',
      value: daysToGood(fresh, 'new') - old,
      asked: { most: 0 },
    },
  ]
}

/** An agent that has carried large payments is bought; the buyer works for cents, to be trusted with more. */
function boughtLimit(run: Run): readonly Check[] {
  const work = { amount: () => 10_000 }
  const world = worldWithAgent(run, { honest: 3 }, { work, isCertified: false })
  world.transfer('agent', 'buyer')
  age(world, 'agent', 60, { amount: () => 1 })
  const value = world.score('agent').exposureLimit ?? 0
  return [{ measure: 'exposure limit after 60 days of $1, in $', value, asked: { most: 10 } }]
}

/** A platform of the buyer praises an agent of another account, which is then sold to the buyer. */
function praisedBySeller(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3 })
  world.addPlatform('own', 'buyer', true)
  world.addAgent('agent')
  age(world, 'agent', 60, { on: ['own'] })
  world.transfer('agent', 'buyer')
  age(world, 'agent', 60, { on: ['own'] })
  return [{ measure: 'score', value: world.points('agent'), asked: { most: POOR - 1 } }]
}

/** A bad agent is replaced again and again; a good one once. */
function replaced(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3 })
  world.addAgent('bad-0')
  age(world, 'bad-0', 60, { good: 0.3 })
  let gained = 0
  for (let i = 0; i < 5; i++) {
    const before = world.points(`bad-${i}`)
    world.succeed(`bad-${i}`, `bad-${i + 1}`)
    gained = Math.max(gained, world.points(`bad-${i + 1}`) - before)
  }
  const good = createWorld(run, { honest: 3 })
  good.addAgent('good')
  age(good, 'good', 180)
  const before = good.points('good')
  good.succeed('good', 'next')
  const lost = before - good.points('next')
  return [
    {
      measure: 'points gained by a bad one in five replacements',
      value: gained,
      asked: { most: 0 },
    },
    { measure: 'points lost by a good one', value: lost, asked: { least: 0, most: 60 } },
  ]
}

export const HANDOVERS: readonly Bound[] = [
  { row: '27', what: 'a Good agent is bought, and cheats', run: bought },
  { row: '27', what: 'an agent trusted with $10,000 is bought', run: boughtLimit },
  {
    row: '27',
    what: 'a Good agent is bought, and continues to work',
    run: boughtHonestly,
  },
  {
    row: '27',
    what: 'a platform praises an agent, and its owner buys it',
    run: praisedBySeller,
  },
  { row: '28', what: 'an agent is replaced by a successor', run: replaced },
]
