/** What can be gained and lost by teaching how hard a class of work is. */
import { below, pick } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { POOR } from '../tiers.ts'
import type { Bound, Check, Run } from './bound.ts'
import type { Planned } from './days.ts'
import { createWorld, type World, worldWithAgent } from './world.ts'

const CLASS = { taskClass: 'appraisal' } as const

/** New agents of as many owners. */
const TEACHERS = 12

function teachers(world: World, count: number): readonly string[] {
  const ids = Array.from({ length: count }, (_, i) => `teacher-${i}`)
  for (const id of ids) {
    world.addAgent(id)
  }
  return ids
}

interface Orders {
  readonly perPlatform: number
  readonly type: 'task.completed' | 'task.failed'
}

/** Each teacher has so many orders of the class at each platform. */
function lessons(
  world: World,
  ids: readonly string[],
  { perPlatform, type }: Orders,
): readonly Planned[] {
  return ids.flatMap((agent) =>
    world.honest.flatMap((by) =>
      Array.from({ length: perPlatform }, (): Planned => {
        const ms = below(world.chance, DAY_MS / 4)
        return { agent, ms, by, type, data: CLASS, isAttack: true }
      }),
    ),
  )
}

/** Reports by which an agent would be known, if those of a platform that is not established made it so. */
const PRAISE_DAYS = 10
const PRAISE_PER_DAY = 5

/** A platform that is not established praises each teacher. */
function praise(world: World, ids: readonly string[], by: string): void {
  for (let day = 0; day < PRAISE_DAYS; day++) {
    const praised = ids.flatMap((agent) =>
      Array.from({ length: PRAISE_PER_DAY }, (): Planned => {
        const ms = below(world.chance, DAY_MS)
        return { agent, ms, by, type: 'task.completed', data: {}, isAttack: true }
      }),
    )
    world.play([...world.honestDay('agent'), ...praised])
  }
}

interface Fails {
  /** Whether its tasks are of the class. */
  readonly isNamed: boolean
  readonly isPraised?: boolean
}

/** An agent with a good record that then fails at six of ten tasks, of the class or of no class. */
function fails(run: Run, { isNamed, isPraised = false }: Fails): number {
  const world = worldWithAgent(run, { honest: 3, outsiders: isPraised ? 1 : 0 })
  const ids = teachers(world, TEACHERS)
  for (const outsider of world.outsiders) {
    praise(world, ids, outsider)
  }
  world.play([
    ...world.honestDay('agent'),
    ...lessons(world, ids, { perPlatform: 10, type: 'task.failed' }),
  ])
  for (let day = 0; day < 14; day++) {
    const work = Array.from({ length: 8 }, (): Planned => {
      const type = world.chance() < 0.6 ? 'task.failed' : 'task.completed'
      const ms = below(world.chance, DAY_MS)
      const by = pick(world.chance, world.honest)
      return { agent: 'agent', ms, by, type, data: isNamed ? CLASS : {}, isAttack: true }
    })
    world.play(work)
  }
  return world.points('agent')
}

function taughtHard(run: Run): readonly Check[] {
  const [named, unnamed] = [fails(run, { isNamed: true }), fails(run, { isNamed: false })]
  return [
    { measure: 'score after 14 days', value: named, asked: { most: POOR - 1 } },
    {
      measure: 'points above the same work without a class',
      value: named - unnamed,
      asked: { most: 60 },
    },
  ]
}

function taughtHardByPraised(run: Run): readonly Check[] {
  const value = fails(run, { isNamed: true, isPraised: true })
  return [{ measure: 'score after 14 days', value, asked: { most: POOR - 1 } }]
}

const HONEST = Array.from({ length: 15 }, (_, i) => `agent-${i}`)

/** Fifteen agents of 97 % work for sixty days, from the first one on beside teachers whose every order goes well. */
function sixtyDays(run: Run, data: object): { readonly points: number; readonly lost: number } {
  const world = createWorld(run, { honest: 3 })
  for (const id of HONEST) {
    world.addAgent(id)
  }
  const ids = teachers(world, 20)
  for (let day = 0; day < 60; day++) {
    const work = HONEST.flatMap((id) =>
      world.honestDay(id, { payments: 0 }).map((event): Planned => ({ ...event, data })),
    )
    const taught = day === 0 ? lessons(world, ids, { perPlatform: 5, type: 'task.completed' }) : []
    world.play([...work, ...taught])
  }
  const mean = (of: (id: string) => number) =>
    HONEST.reduce((sum, id) => sum + of(id), 0) / HONEST.length
  const points = mean((id) => world.points(id))
  return { points, lost: mean((id) => world.twinPoints(id)) - points }
}

function taughtEasy(run: Run): readonly Check[] {
  const named = sixtyDays(run, CLASS)
  const unnamed = sixtyDays(run, {})
  return [
    { measure: 'points lost on average', value: named.lost, asked: { most: 20 } },
    {
      measure: 'points below the same work without a class',
      value: unnamed.points - named.points,
      asked: { most: 20 },
    },
  ]
}

export const TAUGHT_WORK: readonly Bound[] = [
  {
    row: '31',
    what: 'twelve new agents fail at all orders of a class; a good agent then fails at six of ten tasks of it',
    run: taughtHard,
  },
  {
    row: '31',
    what: 'the same, and a platform that is not established praised the new agents fifty times each before',
    run: taughtHardByPraised,
  },
  {
    row: '31',
    what: 'twenty new agents do all orders of a class well; fifteen honest agents work in it',
    run: taughtEasy,
  },
]
