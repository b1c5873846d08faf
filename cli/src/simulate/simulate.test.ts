import { describe, expect, test } from 'vitest'
import { answersTo, answerTo, at, goodWork, run, verified } from './testing/run.ts'

interface Line {
  readonly at: string
}

const done = (more: object) => ({ agent: 'a1', type: 'task.completed', ...more })
const paid = (more: object) => ({ agent: 'a1', by: 'p1', type: 'payment.completed', ...more })

describe('an answer', () => {
  test('has these fields in this order, and no others', async () => {
    const { output } = await run([
      ...verified('p1'),
      { agent: 'a1', owner: 'o1' },
      { at: at(0, 6), agent: 'a1', by: 'p1', type: 'task.completed', data: {} },
      { at: '2026-01-01T07:00:00Z', ask: 'a1' },
    ])
    expect(output).toBe(
      '{"at":"2026-01-01T07:00:00Z","agent":"a1","score":168,"classification":"untrusted",' +
        '"confidence":"low","interval":{"low":55,"high":575},' +
        '"disputed":{"isDisputed":false,"platformsFor":0,"platformsAgainst":0},' +
        '"exposureLimit":null,"accepted":1,"quarantined":0,"refused":0}',
    )
  })

  test('counts the agent’s events since its previous answer', async () => {
    const work = [0, 1, 2].map((hour) => done({ at: at(0, hour), by: 'p1' }))
    const answers = await answersTo([
      ...work,
      { at: at(0, 3), ask: 'a1' },
      { at: at(0, 3), ask: 'a1' },
      done({ at: at(0, 4), by: 'p1' }),
      { at: at(0, 5), ask: 'a1' },
    ])
    expect(answers.map(({ accepted }) => accepted)).toEqual([3, 0, 1])
  })

  test('is as of its own time: evidence ages without events', async () => {
    const platforms = ['p1', 'p2', 'p3']
    const [now, later] = await answersTo([
      ...verified(...platforms),
      ...goodWork('a1', platforms, 60),
      { at: at(60), ask: 'a1' },
      { at: at(60 + 3 * 365), ask: 'a1' },
    ])
    expect(later?.score).toBeLessThan(now?.score ?? 0)
  })
})

describe('participants', () => {
  test('need no introduction: an unknown agent or platform starts like any other', async () => {
    const lines = [done({ at: at(0), by: 'p1' }), { at: at(1), ask: 'a1' }]
    const named = [{ platform: 'p1', owner: null }, { agent: 'a1', owner: 'o1' }, ...lines]
    expect(await answersTo(lines)).toEqual(await answersTo(named))
    expect((await answerTo([{ at: at(0), ask: 'unknown' }])).score).toBe(100)
  })

  test('that are verified platforms count at once, others only with the crowd', async () => {
    const work = [...goodWork('a1', ['p1'], 30), { at: at(30), ask: 'a1' }]
    const others = verified('p8', 'p9')
    const trusted = await answerTo([...others, ...verified('p1'), ...work])
    const crowd = await answerTo([...others, ...work])
    expect(trusted.score).toBeGreaterThan(crowd.score + 300)
  })

  test('that a later line verifies count in full from then on', async () => {
    const early = [
      ...verified('p8', 'p9'),
      ...goodWork('a1', ['p1'], 30),
      { at: at(30), ask: 'a1' },
    ]
    const late = [...goodWork('a1', ['p1'], 30, 30), { at: at(60), ask: 'a1' }]
    const [, never] = await answersTo([...early, ...late])
    const [, since] = await answersTo([...early, { platform: 'p1', verified: true }, ...late])
    expect(since?.score).toBeGreaterThan((never?.score ?? 0) + 300)
  })

  test('of the same owner count as self-reports: a platform reports on its owner’s agent like the agent itself', async () => {
    const owned = { platform: 'p1', owner: 'o1', verified: true }
    const work = goodWork('a1', ['p1'], 30)
    const self = await answerTo([
      owned,
      { agent: 'a1', owner: 'o1' },
      ...work,
      { at: at(30), ask: 'a1' },
    ])
    const other = await answerTo([
      owned,
      { agent: 'a1', owner: 'o2' },
      ...work,
      { at: at(30), ask: 'a1' },
    ])
    expect(self.score).toBeLessThan(300)
    expect(other.score).toBeGreaterThan(650)
  })

  test('that are verified platforms of one owner do no more than one of them, by slander or by praise', async () => {
    const owned = (owner: string | null, count: number) =>
      Array.from({ length: count }, (_, i) => ({ platform: `x${i}`, owner, verified: true }))
    const paidWork = (by: readonly string[], days: number) => [
      ...goodWork('a1', by, days),
      ...goodWork('a1', by, days).map((line) => ({ ...line, type: 'payment.completed' })),
    ]
    const names = (count: number) => Array.from({ length: count }, (_, i) => `x${i}`)
    const inOrder = (lines: readonly object[]) =>
      [...lines].sort((a, b) => ((a as Line).at < (b as Line).at ? -1 : 1))
    const slandered = (owner: string | null, count: number) =>
      answerTo([
        ...verified('p1', 'p2', 'p3'),
        ...owned(owner, count),
        ...inOrder(paidWork(['p1', 'p2', 'p3'], 90)),
        // As many lies in each case.
        ...Array.from({ length: 60 }, (_, i) =>
          done({ at: at(90, 0, i), by: `x${i % count}`, type: 'task.failed' }),
        ),
        { at: at(91), ask: 'a1' },
      ])
    const [one, two, five] = [
      await slandered('o9', 1),
      await slandered('o9', 2),
      await slandered('o9', 5),
    ]
    expect([two, five]).toEqual([one, one])
    expect(one.disputed).toMatchObject({ platformsFor: 3, platformsAgainst: 1 })
    expect((await slandered(null, 5)).score).toBeLessThan(one.score - 100)

    const praised = (owner: string | null, count: number) =>
      answerTo([
        ...owned(owner, count),
        ...inOrder(paidWork(names(count), 90)),
        { at: at(90), ask: 'a1' },
      ])
    expect(await praised('o9', 2)).toMatchObject({ classification: 'good' })
    expect(await praised('o9', 5)).toMatchObject({ classification: 'good' })
    expect(await praised(null, 2)).toMatchObject({ classification: 'excellent' })
  })

  test('that are verified platforms of one owner are one established platform: others stay provisional', async () => {
    const by = (owner: string | null) =>
      answerTo([
        { platform: 'x0', owner, verified: true },
        { platform: 'x1', owner, verified: true },
        ...goodWork('a1', ['new'], 30),
        { at: at(30), ask: 'a1' },
      ])
    expect((await by('o9')).score).toBeGreaterThan((await by(null)).score + 100)
  })

  test('cannot lift their own agent: a thousand reports by it and its owner leave it Untrusted', async () => {
    const reports = Array.from({ length: 1000 }, (_, i) =>
      done({ at: at(i, 1), by: i % 2 ? 'self' : 'owner' }),
    )
    const answer = await answerTo([...reports, { at: at(1000), ask: 'a1' }])
    expect(answer).toMatchObject({ classification: 'untrusted', accepted: 1000 })
  })

  test('that are platforms earn a vote by two months of reports that others agree with', async () => {
    const agents = ['b1', 'b2', 'b3', 'b4', 'b5', 'b6']
    const reporters = ['p1', 'p2', 'new']
    const known = Array.from({ length: 70 }, (_, day) =>
      reporters.flatMap((by, i) => agents.map((agent) => done({ at: at(day, 6 + i), agent, by }))),
    ).flat()
    const lines = (days: number) => [
      ...verified('p1', 'p2'),
      ...agents.map((agent) => ({ agent, owner: `owner of ${agent}` })),
      ...known.slice(0, days * agents.length * reporters.length),
      ...goodWork('a1', ['new'], 30, 70),
      { at: at(100), ask: 'a1' },
    ]
    expect((await answerTo(lines(8))).score).toBeLessThan(300)
    expect((await answerTo(lines(70))).score).toBeGreaterThan(600)
  })
})

describe('credentials', () => {
  const work = [...verified('p1', 'p2'), ...goodWork('a1', ['p1', 'p2'], 30)]
  const score = async (...lines: readonly object[]) =>
    (await answerTo([...work, ...lines, { at: at(31), ask: 'a1' }])).score

  test('of a platform raise the score more than the owner’s own', async () => {
    const none = await score()
    const own = await score({ at: at(30), issue: 'a1', by: 'owner', type: 'KycVerified' })
    const verifiedOne = await score({ at: at(30), issue: 'a1', by: 'p1', type: 'KycVerified' })
    expect(own).toBeGreaterThan(none)
    expect(verifiedOne).toBeGreaterThan(own)
  })

  test('of the same type and issuer count once', async () => {
    const issue = { at: at(30), issue: 'a1', by: 'p1', type: 'KycVerified' }
    expect(await score(issue, issue, issue)).toBe(await score(issue))
  })

  test('that the agent reports again count once', async () => {
    const issue = { at: at(30), issue: 'a1', by: 'p1', type: 'KycVerified' }
    const data = { credentialId: 'a1/p1/KycVerified' }
    const again = { at: at(30), agent: 'a1', by: 'self', type: 'credential.issued', data }
    expect(await score(issue, again)).toBe(await score(issue))
  })

  test('of platforms that are not established count together as those of one of them', async () => {
    const issued = (platforms: number, types = 1) =>
      Array.from({ length: platforms * types }, (_, i) => ({
        at: at(30),
        issue: 'a1',
        by: `unknown-${i % platforms}`,
        type: `Type${Math.floor(i / platforms)}`,
      }))
    expect(await score(...issued(20))).toBe(await score(...issued(1)))
    expect(await score(...issued(20, 4))).toBe(await score(...issued(1, 4)))
  })

  test('of platforms that are not established leave all places to those of others', async () => {
    const unknown = Array.from({ length: 40 }, (_, i) => {
      return { at: at(30), issue: 'a1', by: `unknown-${i % 10}`, type: `Type${i}` }
    })
    const others = ['p1', 'p2'].map((by) => ({ at: at(30), issue: 'a1', by, type: 'KycVerified' }))
    expect(await score(...unknown, ...others)).toBeGreaterThanOrEqual(await score(...others))
  })

  test('of several platforms of one owner count as those of one of them', async () => {
    const owned = (...names: readonly string[]) =>
      names.flatMap((platform) => [
        { platform, owner: 'company', verified: true },
        { at: at(30), issue: 'a1', by: platform, type: 'KycVerified' },
      ])
    expect(await score(...owned('p3', 'p4', 'p5'))).toBe(await score(...owned('p3')))
  })

  test('that were never issued are quarantined when a platform reports them', async () => {
    const event = { agent: 'a1', by: 'p1', type: 'credential.issued' }
    const data = { credentialType: 'KycVerified' }
    const answer = await answerTo([
      { ...event, at: at(0), data },
      { at: at(1), ask: 'a1' },
    ])
    expect(answer).toMatchObject({ score: 100, accepted: 0, quarantined: 1 })
  })

  test('are named by agent, issuer and type in later events', async () => {
    const answers = await answersTo([
      ...work,
      { at: at(30), issue: 'a1', by: 'p1', type: 'KycVerified' },
      { at: at(31), ask: 'a1' },
      {
        at: at(32),
        agent: 'a1',
        by: 'p1',
        type: 'credential.revoked',
        data: { credentialId: 'a1/p1/KycVerified' },
      },
      { at: at(32), ask: 'a1' },
    ])
    const [before, after] = answers
    expect(after).toMatchObject({ accepted: 1, quarantined: 0 })
    expect(after?.score).toBeLessThan(before?.score ?? 0)
  })
})

describe('limits', () => {
  test('refuse the 101st event of one reporter about one agent in an hour, and of no other reporter', async () => {
    const flood = Array.from({ length: 130 }, (_, i) => done({ at: at(0, 0, i / 10), by: 'self' }))
    const answer = await answerTo([
      ...flood,
      done({ at: at(0, 0, 14), by: 'p1' }),
      { at: at(0, 0, 15), ask: 'a1' },
    ])
    expect(answer).toMatchObject({ accepted: 101, refused: 30 })
  })

  test('refuse the 1,001st event of a platform in an hour', async () => {
    const flood = Array.from({ length: 1050 }, (_, i) =>
      done({ at: at(0, 0, i / 60), agent: `a${i % 20}`, by: 'p1' }),
    )
    const asked = Array.from({ length: 20 }, (_, i) => ({ at: at(0, 0, 30), ask: `a${i}` }))
    const answers = await answersTo([...flood, ...asked])
    const sum = (count: 'accepted' | 'refused') =>
      answers.reduce((total, answer) => total + answer[count], 0)
    expect([sum('accepted'), sum('refused')]).toEqual([1000, 50])
  })

  test('refuse an occurredAt more than 30 days in the past or 5 minutes in the future', async () => {
    const times = [at(59, 23), at(31), at(29), at(60, 0, 4), at(60, 0, 6)]
    const events = times.map((occurredAt) => done({ at: at(60), by: 'p1', occurredAt }))
    const answer = await answerTo([...events, { at: at(60), ask: 'a1' }])
    expect(answer).toMatchObject({ accepted: 3, refused: 2 })
  })

  test('are those of the simulated settings', async () => {
    const flood = [...Array.from({ length: 20 }, () => done({ at: at(0), by: 'p1' }))]
    const lines = [...flood, { at: at(0), ask: 'a1' }]
    const refused = async (settings: object) => (await answerTo(lines, { settings })).refused
    expect(await refused({ eventsPerAgentHour: 5 })).toBe(15)
    expect(await refused({ eventsPerPlatformHour: 8 })).toBe(12)
    expect(await refused({ eventsPerAgentHour: 5, rateLimits: false })).toBe(0)
  })
})

describe('an externalId', () => {
  test('that is sent again is ignored, and with other content refused', async () => {
    const answers = await answersTo([
      paid({ at: at(0), externalId: 'x1', data: { amount: 20 } }),
      { at: at(1), ask: 'a1' },
      paid({ at: at(2), externalId: 'x1', data: { amount: 20 } }),
      { at: at(3), ask: 'a1' },
      paid({ at: at(4), externalId: 'x1', data: { amount: 21 } }),
      { at: at(5), ask: 'a1' },
    ])
    const counts = answers.map(({ accepted, quarantined, refused }) => [
      accepted,
      quarantined,
      refused,
    ])
    expect(counts).toEqual([
      [1, 0, 0],
      [0, 0, 0],
      [0, 0, 1],
    ])
  })

  test('belongs to one reporter about one agent', async () => {
    const answers = await answersTo([
      paid({ at: at(0), externalId: 'x1' }),
      paid({ at: at(0), externalId: 'x1', by: 'p2' }),
      paid({ at: at(0), externalId: 'x1', agent: 'a2' }),
      { at: at(0), ask: 'a1' },
      { at: at(0), ask: 'a2' },
    ])
    expect(answers.map(({ accepted }) => accepted)).toEqual([2, 1])
  })
})

describe('rules', () => {
  const copies = [
    ...Array.from({ length: 10 }, (_, i) =>
      paid({
        at: at(0, i + 1),
        occurredAt: at(0, 1).replace(':00.000Z', ':30.000Z'),
        data: { amount: 149.37, currency: 'USD' },
      }),
    ),
    { at: at(1), ask: 'a1' },
  ]

  test('quarantine copies of one payment', async () => {
    expect(await answerTo(copies)).toMatchObject({ accepted: 1, quarantined: 9 })
  })

  test('can be turned off to see their effect', async () => {
    const rules = new Map([['identical_event', { mode: 'off', threshold: 0 } as const]])
    expect(await answerTo(copies, { settings: { rules } })).toMatchObject({ accepted: 10 })
  })
})

describe('a deactivated agent', () => {
  const bad = Array.from({ length: 30 }, (_, day) =>
    ['p1', 'p2'].map((by) => ({ at: at(day, 6), agent: 'a1', by, type: 'task.failed' })),
  ).flat()
  const first = [...verified('p1', 'p2'), { agent: 'a1', owner: 'o1' }, ...bad]

  test('keeps its score and accepts no more events', async () => {
    const answers = await answersTo([
      ...first,
      { at: at(30), ask: 'a1' },
      { at: at(30), deactivate: 'a1' },
      done({ at: at(30, 1), by: 'p1' }),
      { at: at(30, 2), issue: 'a1', by: 'owner', type: 'KycVerified' },
      { at: at(30, 3), ask: 'a1' },
    ])
    const [before, after] = answers
    expect(after).toMatchObject({ score: before?.score, accepted: 0, refused: 2 })
  })

  test('limits its owner’s next agent for a year, however that one is introduced', async () => {
    const ceiling = async (day: number, ...next: readonly object[]) => {
      const lines = [
        ...first,
        { at: at(30), deactivate: 'a1' },
        ...next,
        { at: at(day), ask: 'a2' },
      ]
      return (await answerTo(lines)).score
    }
    const { score } = await answerTo([...first, { at: at(30), ask: 'a1' }])
    expect(score).toBeLessThan(100)
    expect(await ceiling(31, { agent: 'a2', owner: 'o1' })).toBe(score)
    expect(await ceiling(31, { at: at(31), agent: 'a2', owner: 'o1' })).toBe(score)
    expect(await ceiling(31, { agent: 'a2', owner: 'o2' })).toBe(100)
    expect(await ceiling(30 + 366, { agent: 'a2', owner: 'o1' })).toBe(100)
  })

  test('limits an agent that was registered before its failures until a platform reports on it', async () => {
    const early = [...verified('p1', 'p2'), { at: at(0), agent: 'a2', owner: 'o1' }]
    const known = { at: at(0), agent: 'a2', by: 'p1', type: 'task.completed' }
    const ends = [...first.slice(2), { at: at(30), ask: 'a1' }, { at: at(30), ask: 'a2' }]
    const [bad, unused] = await answersTo([...early, ...ends])
    expect(unused?.score).toBeLessThanOrEqual(bad?.score ?? 0)
    const [, used] = await answersTo([...early, known, ...ends])
    expect(used?.score).toBeGreaterThan(100)
  })
})

test('platforms that report nothing more after one failure each do not keep an agent from Good', async () => {
  const current = ['p1', 'p2', 'p3']
  const former = Array.from({ length: 8 }, (_, i) => `former-${i}`)
  const served = former.flatMap((by, i) =>
    goodWork('a1', [by], 6, 80).map((line) => ({ ...line, at: at(80, 1, i) })),
  )
  const failed = former.map((by, i) => ({ at: at(80, 3, i), agent: 'a1', by, type: 'task.failed' }))
  const answers = await answersTo([
    ...verified(...current, ...former),
    ...goodWork('a1', current, 80),
    ...served,
    ...failed,
    { at: at(80, 4), ask: 'a1' },
    ...goodWork('a1', current, 7, 81),
    { at: at(88), ask: 'a1' },
  ])
  const [atOnce, later] = answers.map(({ classification }) => classification)
  expect(atOnce).toBe('fair')
  expect(later).toMatch(/good|excellent/)
})

test('an agent that acts for a parent never scores above it, and its failures lower the parent’s score', async () => {
  const days = 20
  const work = (agent: string, type: string) =>
    Array.from({ length: days }, (_, day) => ({ at: at(day), agent, by: 'p1', type }))
  const byTime = (a: { at: string }, b: { at: string }) => a.at.localeCompare(b.at)
  const asked = ['parent', 'child'].map((ask) => ({ at: at(days), ask }))
  const family = [...verified('p1', 'p2'), { agent: 'child', parent: 'parent' }]
  const good = work('child', 'task.completed')
  const [idle, limited] = await answersTo([...family, ...good, ...asked])
  expect(limited?.score).toBe(idle?.score)
  const both = [...work('parent', 'task.completed'), ...work('child', 'task.failed')].sort(byTime)
  const [parent, child] = await answersTo([...family, ...both, ...asked])
  const [alone] = await answersTo([
    ...verified('p1', 'p2'),
    ...work('parent', 'task.completed'),
    { at: at(days), ask: 'parent' },
  ])
  expect(child?.score).toBeLessThan(100)
  expect(parent?.score).toBeLessThan((alone?.score ?? 0) - 50)
})

test('an agent has about as much trust by the work of its children as by the same work of its own', async () => {
  const work = (by: (i: number) => string) =>
    Array.from({ length: 60 * 10 }, (_, i) => ({
      at: at(Math.floor(i / 10), i % 10),
      agent: i % 10 < 2 ? 'boss' : by(i),
      by: i % 2 ? 'p1' : 'p2',
      type: i % 5 === 4 ? 'task.failed' : 'task.completed',
    }))
  const children = Array.from({ length: 5 }, (_, i) => ({ agent: `child-${i}`, parent: 'boss' }))
  const ask = { at: at(60), ask: 'boss' }
  const own = await answersTo([...verified('p1', 'p2'), ...work(() => 'boss'), ask])
  const delegated = await answersTo([
    ...verified('p1', 'p2'),
    ...children,
    ...work((i) => `child-${Math.floor(i / 10) % 5}`),
    ask,
  ])
  const [alone, parent] = [own[0]?.score ?? 0, delegated[0]?.score ?? 0]
  expect(alone).toBeGreaterThan(200)
  expect(parent).toBeGreaterThan(alone - 100)
  expect(parent).toBeLessThan(alone + 100)
})

test('hourly uptime reports do not hide failed tasks', async () => {
  const hours = Array.from({ length: 60 * 24 }, (_, hour) => hour)
  const uptime = (hour: number) => ({
    at: at(0, hour),
    agent: 'a1',
    by: 'p1',
    type: 'uptime.report',
    data: { uptimePercentage: 99.95 },
  })
  const task = (hour: number) => ({
    at: at(0, hour, 1),
    agent: 'a1',
    by: 'p1',
    type: hour % 16 === 0 ? 'task.failed' : 'task.completed',
  })
  const scoreOf = async (isWatched: boolean) => {
    const events = hours.flatMap((hour) => [
      ...(isWatched ? [uptime(hour)] : []),
      ...(hour % 8 === 0 ? [task(hour)] : []),
    ])
    return (await answerTo([...verified('p1'), ...events, { at: at(60), ask: 'a1' }])).score
  }
  expect((await scoreOf(true)) - (await scoreOf(false))).toBeLessThan(150)
})
