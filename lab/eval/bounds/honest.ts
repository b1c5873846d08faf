/** What honest agents get. */

import type { EventType } from '../../../src/domain/event.ts'
import { DAY_MS } from '../../../src/domain/time.ts'
import { FAIR, GOOD } from '../tiers.ts'
import { type Bound, type Check, NEVER, type Run } from './bound.ts'
import type { Planned, Work } from './days.ts'
import { eventsUntilBelow } from './measures.ts'
import { createWorld, type World, worldWithAgent } from './world.ts'

function nightly(run: Run): readonly Check[] {
  const go = (work: Work, platforms: number, owners: number) => {
    const panel = { honest: 0, outsiders: platforms, isNewInstallation: true }
    const world = createWorld(run, panel)
    const agents = ['agent', 'second', 'third']
    for (const [i, id] of agents.entries()) {
      world.addAgent(id, `owner-${i % owners}`)
    }
    world.issue('agent', 'outsider-0')
    for (let day = 0; day < 120; day++) {
      world.play(agents.flatMap((id) => world.honestDay(id, { on: world.outsiders, ...work })))
    }
    return { points: world.points('agent'), quarantined: world.counts.quarantined }
  }
  return (
    [
      [3, 1],
      [4, 2],
    ] as const
  ).flatMap(([platforms, owners]) => {
    const night = go({ batches: { order: 'any order' } }, platforms, owners)
    const value = Math.abs(night.points - go({}, platforms, owners).points)
    return [
      { measure: `difference, ${platforms} platforms`, value, asked: { most: 20 } },
      {
        measure: `quarantined, ${platforms} platforms`,
        value: night.quarantined,
        asked: { most: 0 },
      },
      { measure: `score, ${platforms} platforms`, value: night.points, asked: { least: 700 } },
    ]
  })
}

function badLast(run: Run): readonly Check[] {
  const go = (good: number, batch: Work) => {
    const world = worldWithAgent(run, { honest: 4 })
    for (let day = 0; day < 60; day++) {
      world.play(world.honestDay('agent', { tasks: 220, payments: 80, good, ...batch }))
    }
    return world.points('agent')
  }
  return [0.97, 0.9, 0.75].map((good) => {
    const spread = go(good, {})
    const last = go(good, { batches: { order: 'bad last' } })
    const measure = `difference, ${100 * good} % good`
    return { measure, value: Math.abs(last - spread), asked: { most: 20 } }
  })
}

const BATCH_DAYS = 30

function badLastAllDay(run: Run): readonly Check[] {
  return [0.5, 1, 2].map((everyHours) => {
    const world = worldWithAgent(run, { honest: 3 })
    const work: Work = { tasks: 660, payments: 240, batches: { everyHours, order: 'bad last' } }
    let belowMs = 0
    let last = { at: 0, points: GOOD }
    for (let day = 0; day < BATCH_DAYS; day++) {
      world.play(world.honestDay('agent', work), (at) => {
        belowMs += last.points < GOOD ? at - last.at : 0
        last = { at, points: world.points('agent', at) }
      })
    }
    const measure = `% of the time below Good, every ${everyHours * 60} minutes`
    const value = (100 * belowMs) / (BATCH_DAYS * DAY_MS)
    return { measure, value, asked: { most: 0.2 } }
  })
}

function partners(run: Run): readonly Check[] {
  const go = (isMutual: boolean, good: number) => {
    const world = createWorld(run, { honest: 0 })
    const companies = ['a', 'b']
    for (const company of companies) {
      const owner = isMutual ? `owner-${company}` : `other-${company}`
      world.addPlatform(`of-${company}`, owner, true)
      world.addAgent(company, `owner-${company}`)
    }
    for (let day = 0; day < 60; day++) {
      const [atA, atB] = [
        world.honestDay('a', { on: ['of-b'], tasks: 14, payments: 6, good }),
        world.honestDay('b', { on: ['of-a'], tasks: 14, payments: 6, good }),
      ]
      world.play([...atA, ...atB])
    }
    return { points: world.points('a'), quarantined: world.counts.quarantined }
  }
  return [0.995, 0.98].flatMap((good) => {
    const mutual = go(true, good)
    const value = Math.abs(mutual.points - go(false, good).points)
    const what = `${100 * good} % good`
    return [
      { measure: `quarantined, ${what}`, value: mutual.quarantined, asked: { most: 0 } },
      { measure: `difference from unrelated ones, ${what}`, value, asked: { most: 60 } },
    ]
  })
}

function worker(run: Run): readonly Check[] {
  const world = createWorld(run, { honest: 1 })
  world.addAgent('agent')
  let value = NEVER
  for (let day = 1; day <= 120 && value === NEVER; day++) {
    world.play(world.honestDay('agent', { tasks: 20, payments: 0 }))
    value = world.points('agent') >= GOOD ? day : NEVER
  }
  return [{ measure: 'days to Good', value, asked: { most: 120 } }]
}

function tierLine(run: Run, platforms: number, isCertified: boolean): readonly Check[] {
  const world = worldWithAgent(run, { honest: platforms }, { isCertified })
  let below = 0
  const days = 365
  for (let day = 0; day < days; day++) {
    world.play(world.honestDay('agent'))
    below += world.points('agent') < GOOD ? 1 : 0
  }
  const events = eventsUntilBelow(world, 'agent', GOOD, () => defraudedDay(world))
  return [
    { measure: '% of days below Good', value: (100 * below) / days, asked: { most: 0.2 } },
    { measure: 'bad events until below Good', value: events, asked: { most: 20 } },
  ]
}

/** A day on which no task succeeds and no payment is made. */
function defraudedDay(world: World): readonly Planned[] {
  return world.honestDay('agent', { good: 0 }).map((event) => {
    const type: EventType = event.type === 'payment.late' ? 'payment.failed' : event.type
    return { ...event, type }
  })
}

function levels(run: Run): readonly Check[] {
  const pointsAt = (good: number) =>
    worldWithAgent(run, { honest: 3 }, { work: { good } }).points('agent')
  return [
    {
      measure: '97 % good',
      value: pointsAt(0.97),
      asked: { least: 780, most: 840 },
      holds: { least: 740, most: 850 },
    },
    { measure: '95 % good', value: pointsAt(0.95), asked: { least: GOOD } },
    { measure: '90 % good', value: pointsAt(0.9), asked: { least: FAIR } },
  ]
}

export const HONEST: readonly Bound[] = [
  {
    row: '8',
    what: 'a new installation that reports in nightly batches',
    before: '111 .. 182 instead of 761 .. 773',
    run: nightly,
  },
  {
    row: '8',
    what: 'four platforms that report 75 events each a night, bad ones last',
    run: badLast,
  },
  {
    row: '8',
    what: 'three platforms that report 300 events each a day in batches, bad ones last',
    run: badLastAllDay,
  },
  {
    row: '10',
    what: 'two companies hire each other’s agents',
    before: '1,074 of 1,200 quarantined',
    run: partners,
  },
  {
    row: '20',
    what: 'only tasks, 20 a day, one platform, no credential',
    before: 'never Good',
    run: worker,
  },
  ...(
    [
      ['4 platforms, no credential', 4, false],
      ['4 platforms', 4, true],
      ['1 platform', 1, true],
      ['11 platforms', 11, true],
      ['20 platforms', 20, true],
    ] as const
  ).map(
    ([what, platforms, isCertified]): Bound => ({
      row: '22',
      what: `a year at the tier line, then an exit scam: ${what}`,
      before: '12 events',
      run: (run) => tierLine(run, platforms, isCertified),
    }),
  ),
  {
    row: '24',
    what: 'honest agents of three platforms after 180 days',
    before: '819 .. 831 at 97 %',
    run: levels,
  },
]
