/** What an attacker gains by agents that act for another agent, and what it can do to a parent by them. */
import { POOR } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import { attackDay, type Planned } from './days.ts'
import { extremesOf } from './measures.ts'
import { ANY } from './slander.ts'
import { age, createWorld, type World } from './world.ts'

const OWNER = 'owner'
const CHILDREN = 20

function addChildren(world: World, parent: string): readonly string[] {
  const children = Array.from({ length: CHILDREN }, (_, i) => `child-${i}`)
  for (const child of children) {
    world.addAgent(child, OWNER, parent)
  }
  return children
}

/** A bad agent has a child do its work, honestly and for months. */
function laundered(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3 })
  world.addAgent('bad', OWNER)
  age(world, 'bad', 60, { good: 0.3 })
  world.addAgent('child', OWNER, 'bad')
  let [highest, above] = [0, 0]
  for (let day = 0; day < 120; day++) {
    world.play(world.honestDay('child'), (at) => {
      const points = world.points('child', at)
      highest = Math.max(highest, points)
      above = Math.max(above, points - world.points('bad', at))
    })
  }
  return [
    { measure: 'highest score of the child', value: highest, asked: { most: POOR - 1 } },
    { measure: 'points above its parent', value: above, asked: { most: 0 } },
  ]
}

/** A Good agent registers twenty children, all of which cheat from the first day on. */
function farm(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3 })
  world.addAgent('parent', OWNER)
  age(world, 'parent', 180)
  const before = world.points('parent')
  const children = addChildren(world, 'parent')
  const start = world.points(children[0] ?? '')
  let [highest, limit] = [0, 0]
  const cheats = () => children.flatMap((child) => world.honestDay(child, { tasks: 2, good: 0 }))
  for (let day = 0; day < 10; day++) {
    world.play([...world.honestDay('parent'), ...cheats()], (at) => {
      highest = Math.max(highest, world.points(children[0] ?? '', at))
    })
    limit = Math.max(limit, world.score(children[0] ?? '').exposureLimit ?? 0)
  }
  return [
    { measure: 'score of a child at its start', value: start, asked: { most: 100 } },
    { measure: 'highest score of a child that cheats', value: highest, asked: { most: 100 } },
    { measure: 'its exposure limit, in $', value: limit, asked: { most: 0 } },
    {
      measure: 'points lost by the parent',
      value: before - world.points('parent'),
      asked: { least: 300 },
    },
  ]
}

/** Each of twenty children cheats once; or their parent does all of that itself. */
function oneEach(run: Run): readonly Check[] {
  const lost = (isByChildren: boolean) => {
    const world = createWorld(run, { honest: 3 })
    world.addAgent('parent', OWNER)
    age(world, 'parent', 180)
    const before = world.points('parent')
    const cheats = addChildren(world, 'parent').map((child) => (isByChildren ? child : 'parent'))
    const one = { tasks: 1, payments: 0, good: 0 }
    world.play(cheats.flatMap((agent) => world.honestDay(agent, one)))
    return before - world.points('parent')
  }
  const value = lost(true)
  return [
    { measure: 'points lost by the parent', value, asked: { least: 60 } },
    {
      measure: '% of its loss if it cheats as often itself',
      value: (100 * value) / lost(false),
      asked: { least: 10 },
    },
  ]
}

/** Twenty children that work as well as their parent, against the same parent without any. */
function honestFamily(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3 })
  world.addAgent('parent', OWNER)
  age(world, 'parent', 30)
  const children = addChildren(world, 'parent')
  const lone = createWorld(run, { honest: 3 })
  lone.addAgent('parent', OWNER)
  age(lone, 'parent', 30)
  let most = -1000
  for (let day = 0; day < 60; day++) {
    const own = world.honestDay('parent')
    lone.play(own)
    world.play([...own, ...children.flatMap((child) => world.honestDay(child))])
    most = Math.max(most, lone.points('parent') - world.points('parent'))
  }
  const left = lone.points('parent') - world.points('parent')
  return [
    { measure: 'most points that they cost it on any day', value: most, asked: { most: 60 } },
    { measure: 'points that they cost it after 60 days', value: left, asked: { most: 20 } },
  ]
}

/** One of four platforms slanders the agent for a month, or twenty children of it. */
function ruined(run: Run): readonly Check[] {
  const lost = (targets: readonly string[]) => {
    const world = createWorld(run, { honest: 3, colluders: 1 })
    world.addAgent('parent', OWNER)
    age(world, 'parent', 180)
    addChildren(world, 'parent')
    const campaign = { by: world.colluders, perDay: 6, types: ANY }
    const extremes = extremesOf(world, 'parent')
    for (let day = 0; day < 30; day++) {
      const slander: Planned[] = targets.flatMap((target) => [
        ...attackDay(world, target, campaign),
      ])
      world.play([...world.honestDay('parent'), ...slander], extremes.take)
    }
    return extremes.lost
  }
  const direct = lost(['parent'])
  const byChildren = lost(Array.from({ length: CHILDREN }, (_, i) => `child-${i}`))
  return [
    { measure: 'points lost by slander of its children', value: byChildren, asked: { most: 220 } },
    {
      measure: 'points more than by slander of the parent itself',
      value: byChildren - direct,
      asked: { most: 10 },
    },
  ]
}

export const DELEGATION: readonly Bound[] = [
  { row: '29', what: 'a bad agent works through a child', run: laundered },
  { row: '29', what: 'a Good agent has twenty children that cheat', run: farm },
  { row: '29', what: 'twenty children cheat once each', run: oneEach },
  { row: '29', what: 'twenty honest children', run: honestFamily },
  { row: '29', what: '1 of 4 platforms slanders twenty children', run: ruined },
]
