/** What an owner's other agents, and a platform's past, make of a new agent's score. */
import { scoreAt } from '../../../src/domain/score.ts'
import { chanceOf } from '../../../src/domain/testing/chance.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import type { InMemoryIngest } from '../../../src/ingest/in-memory-ingest.ts'
import { newIngest } from '../ingest.ts'
import type { Bound, Check, Run } from './bound.ts'
import { honestDay } from './days.ts'
import { age, createWorld } from './world.ts'

/** A new agent of an owner whose first one is bad, kept or given up; and one of another owner. */
function nextAgent(run: Run): readonly Check[] {
  return ([false, true] as const).flatMap((isGivenUp) => {
    const world = createWorld(run, { honest: 3 })
    world.addAgent('first', 'owner')
    age(world, 'first', 30, { good: 0 })
    const first = world.points('first')
    if (isGivenUp) {
      world.deactivate('first')
    }
    world.addAgent('next', 'owner')
    world.addAgent('other', 'another owner')
    const start = world.points('next')
    for (let day = 0; day < 60; day++) {
      world.play([...world.honestDay('next'), ...world.honestDay('other')])
    }
    const behind = world.points('other') - world.points('next')
    const what = isGivenUp ? 'given up' : 'kept'
    return [
      {
        measure: `points above the bad one at the start, ${what}`,
        value: start - first,
        asked: { most: 0.5 },
      },
      {
        measure: `points below another owner's agent after 60 days, ${what}`,
        value: behind,
        asked: { least: 1 },
      },
    ]
  })
}

/** Agents that are registered before the first one turns bad: an unused one, and one with praise of its own. */
function agentInReserve(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 3 })
  const reserve = ['reserve', 'praised by itself']
  for (const agent of ['first', ...reserve]) {
    world.addAgent(agent, 'owner')
  }
  const own = { agent: 'praised by itself', by: null, data: {}, isAttack: false } as const
  world.play([{ ...own, ms: 0, type: 'task.completed' }])
  age(world, 'first', 30, { good: 0 })
  const first = world.points('first')
  world.addAgent('other', 'another owner')
  const starts = reserve.map((agent) => world.points(agent) - first)
  for (let day = 0; day < 60; day++) {
    world.play([...world.honestDay('reserve'), ...world.honestDay('other')])
  }
  return [
    {
      measure: 'points above the bad one before its first report',
      value: starts[0] ?? 0,
      asked: { most: 0.5 },
    },
    { measure: 'after reports of its own', value: starts[1] ?? 0, asked: { most: 0.5 } },
    {
      measure: "points below another owner's agent after 60 days",
      value: world.points('other') - world.points('reserve'),
      asked: { least: 1 },
    },
  ]
}

const START = Date.UTC(2024, 0, 1)
/** In days. */
const TWO_YEARS = 730

/** Two years of one marketplace, imported on one day, against the same two years lived. */
function importedPast({ model, seed }: Run): readonly Check[] {
  const [lived, imported] = [newIngest({ model }), newIngest({ model })]
  lived.verify('market')
  imported.verify('market')
  const chance = chanceOf(seed)
  const importedAt = START + TWO_YEARS * DAY_MS
  lived.register({ id: 'agent', ownerId: 'owner' }, START)
  imported.register({ id: 'agent', ownerId: 'owner' }, importedAt)
  let marked = 0
  for (let day = 0; day < TWO_YEARS; day++) {
    const events = honestDay(chance, 'agent', { on: ['market'] })
    for (const { ms, type, data } of [...events].sort((a, b) => a.ms - b.ms)) {
      const at = START + day * DAY_MS + ms
      report(lived, { type, data }, at)
      marked += report(imported, { type, data }, importedAt, at)
    }
  }
  const points = (ingest: InMemoryIngest) => {
    const state = ingest.agentState('agent')
    return state ? scoreAt(model, state.evidence, importedAt).score : 0
  }
  const value = Math.abs(points(imported) - points(lived))
  const total = TWO_YEARS * 11
  return [
    { measure: 'difference from the same events reported at the time', value, asked: { most: 10 } },
    {
      measure: '% of its events marked as imported',
      value: (100 * marked) / total,
      asked: { least: 100 },
    },
  ]
}

/** How many events were recorded as imported. */
function report(
  ingest: InMemoryIngest,
  event: Pick<ReturnType<typeof honestDay>[number], 'type' | 'data'>,
  at: number,
  pastAt?: number,
): number {
  const outcome = ingest.report(
    {
      agentId: 'agent',
      reporter: { kind: 'platform', id: 'market' },
      reporterOwnerId: null,
      reporterVerified: true,
      attestation: 'none',
      events: [event],
      ...(pastAt === undefined ? {} : { past: { at: pastAt, importedAt: at } }),
    },
    at,
  )
  const [first] = 'events' in outcome ? outcome.events : []
  return first && 'event' in first && first.event.importedAt !== null ? 1 : 0
}

export const OWNERS: readonly Bound[] = [
  {
    row: '11',
    what: 'the next agent of an owner with a bad one',
    before: '21 to 100 where the bad one is kept',
    run: nextAgent,
  },
  {
    row: '11',
    what: 'an agent in reserve, registered before the first one turns bad',
    run: agentInReserve,
  },
  {
    row: '19',
    what: 'a marketplace imports two years of history',
    before: '314 on the first day',
    run: importedPast,
  },
]
