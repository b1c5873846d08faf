import { randomUUID } from 'node:crypto'
import {
  type Answer,
  check,
  idIn,
  lists,
  objectIn,
  pageIn,
  refused,
  scoreIn,
  succeeded,
} from './answer.ts'
import type { Rule } from './rules.ts'
import type { Agent, World } from './world.ts'

/** Each type with the fields of data that the interface shows for it. */
const EVENTS = [
  { type: 'task.completed', data: { duration: 900, success: true } },
  { type: 'task.failed', data: { duration: 900, success: false, errorCode: 'E_TIMEOUT' } },
  { type: 'task.timeout', data: { duration: 30_000 } },
  { type: 'payment.completed', data: { amount: 120, currency: 'USD' } },
  { type: 'payment.failed', data: { amount: 120, currency: 'USD' } },
  { type: 'payment.late', data: { amount: 120, currency: 'USD', daysLate: 3 } },
  { type: 'payment.disputed', data: { amount: 120, currency: 'USD' } },
  { type: 'uptime.report', data: { uptimePercentage: 99.9, responseTimeMs: 120 } },
  { type: 'error.reported', data: { errorType: 'timeout' } },
] as const

/** Enough for a score to move, and below what a rule may take for a burst. */
const SOME = 5

function eventOf(answer: Answer): Readonly<Record<string, unknown>> {
  const body = objectIn(succeeded(answer).body)
  return 'isSelfReported' in body ? body : objectIn(Object.values(body)[0])
}

/** The score of a new agent after some events of a type by the platform. */
async function scoreAfter(world: World, type: string, data: object): Promise<number> {
  const { id } = await world.newAgent()
  for (let i = 0; i < SOME; i++) {
    await report(world, id, type, {
      ...data,
      ...('duration' in data ? { duration: 900 + 37 * i } : {}),
    })
  }
  return scoreIn(await world.send('GET', `/v1/agents/${id}/score`))
}

async function report({ send, platform }: World, id: string, type: string, data: object) {
  return send('POST', `/v1/agents/${id}/events`, {
    body: { type, data },
    headers: platform ?? {},
  })
}

function selfReport({ send }: World, { headers }: Agent, body: object, key?: string) {
  const own = key === undefined ? headers : { ...headers, 'idempotency-key': key }
  return send('POST', '/v1/events', { body, headers: own })
}

const done = { type: 'task.completed', data: { duration: 900, success: true } }

export const eventRules: readonly Rule[] = [
  {
    section: 'Endpoint 14',
    rule: 'an event of the agent itself is flagged isSelfReported, with the outcome of the fraud rules',
    async run(world) {
      const answer = await selfReport(world, await world.newAgent(), done)
      const event = eventOf(answer)
      check(event.isSelfReported === true, 'isSelfReported true', answer)
      check(Array.isArray(event.fraudFlags), 'fraudFlags, a list', answer)
      check(typeof event.isQuarantined === 'boolean', 'isQuarantined, true or false', answer)
      check('attestationVerified' in event, 'attestationVerified', answer)
      check('quarantineReason' in event, 'quarantineReason', answer)
    },
  },
  {
    section: 'Event types',
    rule: 'every type of tasks, payments, uptime and errors is taken with its data',
    async run(world) {
      const agent = await world.newAgent()
      for (const event of EVENTS) {
        succeeded(await selfReport(world, agent, event))
      }
      const list = await world.send('GET', '/v1/events?limit=100', { headers: agent.headers })
      const types = pageIn(list).items.map(({ type }) => type)
      check(
        EVENTS.every(({ type }) => types.includes(type)),
        'an event of each type',
        list,
      )
    },
  },
  {
    section: 'Event types',
    rule: 'a type that is not known is VALIDATION_ERROR, 400',
    async run(world) {
      const answer = await selfReport(world, await world.newAgent(), {
        type: 'task.done',
        data: {},
      })
      refused(answer, 400, 'VALIDATION_ERROR')
    },
  },
  {
    section: 'Data payloads',
    rule: 'a field of the wrong type is VALIDATION_ERROR, 400',
    async run(world) {
      const wrong = { type: 'task.completed', data: { duration: 'long' } }
      refused(await selfReport(world, await world.newAgent(), wrong), 400, 'VALIDATION_ERROR')
    },
  },
  {
    section: 'Endpoint 15',
    rule: 'an agent lists its own events',
    async run(world) {
      const agent = await world.newAgent()
      const id = idIn(await selfReport(world, agent, done))
      const list = await world.send('GET', '/v1/events', { headers: agent.headers })
      lists(list, id, 'event')
    },
  },
  {
    section: 'Endpoint 17',
    rule: 'the events of an agent are listed by its id',
    async run(world) {
      const agent = await world.newAgent()
      const id = idIn(await selfReport(world, agent, done))
      const list = await world.send('GET', `/v1/agents/${agent.id}/events`, {
        headers: agent.headers,
      })
      lists(list, id, 'event')
    },
  },
  {
    section: 'Payloads',
    rule: 'an event that is repeated with its Idempotency-Key is recorded once',
    async run(world) {
      const agent = await world.newAgent()
      const key = randomUUID()
      const first = idIn(await selfReport(world, agent, done, key))
      const again = await selfReport(world, agent, done, key)
      check(idIn(again) === first, `the event ${first} again`, again)
      const list = await world.send('GET', '/v1/events', { headers: agent.headers })
      check(pageIn(list).items.length === 1, 'one event', list)
    },
  },
  {
    section: 'Endpoint 16',
    rule: 'an agent cannot report as a platform',
    async run({ send, newAgent }) {
      const { id, headers } = await newAgent()
      refused(
        await send('POST', `/v1/agents/${id}/events`, { body: done, headers }),
        403,
        'FORBIDDEN',
      )
    },
  },
  {
    section: 'Endpoint 16',
    rule: 'an event of a platform is not self-reported',
    needsPlatform: true,
    async run(world) {
      const { id } = await world.newAgent()
      const answer = await report(world, id, done.type, done.data)
      check(eventOf(answer).isSelfReported === false, 'isSelfReported false', answer)
    },
  },
  {
    section: 'Event types',
    rule: 'completed work raises a score above failed work, and paid above disputed',
    needsPlatform: true,
    async run(world) {
      for (const [good, bad] of [
        ['task.completed', 'task.failed'],
        ['payment.completed', 'payment.disputed'],
      ] as const) {
        const data = good === 'task.completed' ? { duration: 900 } : { amount: 20, currency: 'USD' }
        const [better, worse] = [
          await scoreAfter(world, good, data),
          await scoreAfter(world, bad, data),
        ]
        const answer = {
          request: `${SOME} × ${good}, ${bad}`,
          status: 200,
          headers: { get: () => null },
          body: { [good]: better, [bad]: worse },
        }
        check(better > worse, `a higher score after ${good}`, answer)
      }
    },
  },
  {
    section: 'Self-reported versus platform-reported',
    rule: 'what an agent reports of itself moves its score less than what a platform reports',
    needsPlatform: true,
    async run(world) {
      const agent = await world.newAgent()
      for (let i = 0; i < SOME; i++) {
        succeeded(
          await selfReport(world, agent, { type: done.type, data: { duration: 900 + 37 * i } }),
        )
      }
      const own = await world.send('GET', `/v1/agents/${agent.id}/score`)
      const platform = await scoreAfter(world, done.type, { duration: 900 })
      check(scoreIn(own) < platform, `a score below ${platform}`, own)
    },
  },
  {
    section: 'Anti-fraud',
    rule: 'a quarantined event names its rules and the reason, and does not move the score',
    needsPlatform: true,
    async run(world) {
      const { id } = await world.newAgent()
      const before = scoreIn(await world.send('GET', `/v1/agents/${id}/score`))
      // Data that contradict the type: a rule may or may not quarantine them.
      const answer = await report(world, id, 'task.completed', { success: false })
      const event = eventOf(answer)
      if (event.isQuarantined !== true) {
        return
      }
      const flags = event.fraudFlags
      check(Array.isArray(flags) && flags.length > 0, 'fraudFlags with a rule', answer)
      check(typeof event.quarantineReason === 'string', 'quarantineReason, a text', answer)
      const after = await world.send('GET', `/v1/agents/${id}/score`)
      check(scoreIn(after) === before, `score ${before} as before`, after)
    },
  },
]
