import { randomUUID } from 'node:crypto'
import { type Answer, check, objectIn, pageIn, refused, scoreIn, succeeded } from './answer.ts'
import type { Rule } from './rules.ts'
import type { Send } from './world.ts'

/** The lowest score of each classification, and those of confidence by the number of events. */
const RANGES = [
  ['excellent', 800],
  ['good', 650],
  ['fair', 500],
  ['poor', 300],
  ['untrusted', 0],
] as const

const scoreOf = (send: Send, id: string): Promise<Answer> => send('GET', `/v1/agents/${id}/score`)

export const scoreRules: readonly Rule[] = [
  {
    section: 'Endpoint 9',
    rule: 'a score is a number from 0 to 1000, with its classification',
    async run({ send, newAgent }) {
      const { id } = await newAgent()
      const answer = await scoreOf(send, id)
      const score = scoreIn(answer)
      const [label] = RANGES.find(([, min]) => score >= min) ?? []
      const { classification } = objectIn(answer.body)
      check(String(classification).toLowerCase() === label, `classification ${label}`, answer)
    },
  },
  {
    section: 'Scoring dimensions',
    rule: 'the breakdown has reliability 40 %, financial 35 % and identity 25 %',
    async run({ send, newAgent }) {
      const { id } = await newAgent()
      const answer = succeeded(await scoreOf(send, id))
      const breakdown = objectIn(objectIn(answer.body).breakdown)
      const weights = ['reliability', 'financial', 'identity'].map(
        (name) => objectIn(breakdown[name]).weight,
      )
      const isAsShown = [0.4, 0.35, 0.25].every(
        (weight, i) => weights[i] === weight || weights[i] === weight * 100,
      )
      check(isAsShown, 'breakdown with the weights 40, 35 and 25', answer)
    },
  },
  {
    section: 'Confidence levels',
    rule: 'below 50 events the confidence is low',
    async run({ send, newAgent }) {
      const { id } = await newAgent()
      const answer = succeeded(await scoreOf(send, id))
      const { confidence } = objectIn(answer.body)
      check(String(confidence).toLowerCase() === 'low', 'confidence low', answer)
    },
  },
  {
    section: 'Endpoint 10',
    rule: '/v1/scores/:id is the same score',
    async run({ send, newAgent }) {
      const { id } = await newAgent()
      const alias = await send('GET', `/v1/scores/${id}`)
      const score = scoreIn(await scoreOf(send, id))
      check(scoreIn(alias) === score, `score ${score}`, alias)
    },
  },
  {
    section: 'Endpoint 11',
    rule: 'the history is a list of snapshots',
    async run({ send, newAgent }) {
      const { id, headers } = await newAgent()
      const body = { type: 'task.completed', data: {} }
      succeeded(await send('POST', '/v1/events', { body, headers }))
      pageIn(await send('GET', `/v1/agents/${id}/score/history?limit=10`))
    },
  },
  {
    section: 'Endpoint 12',
    rule: 'scores of several agents are looked up at once',
    async run({ send, newAgent }) {
      const ids = [(await newAgent()).id, (await newAgent()).id]
      const answer = succeeded(await send('POST', '/v1/scores/batch', { body: { agentIds: ids } }))
      const text = JSON.stringify(answer.body)
      check(
        ids.every((id) => text.includes(id)),
        'both agents',
        answer,
      )
    },
  },
  {
    section: 'Endpoint 13',
    rule: 'the classifications are excellent, good, fair, poor and untrusted, with their ranges',
    async run({ send }) {
      const answer = succeeded(await send('GET', '/v1/scores/classifications'))
      const text = JSON.stringify(answer.body).toLowerCase()
      for (const [label, min] of RANGES) {
        check(
          text.includes(`"${label}"`) && text.includes(String(min)),
          `${label} from ${min}`,
          answer,
        )
      }
    },
  },
  {
    section: 'Errors',
    rule: 'the score of an agent that does not exist is NOT_FOUND, 404',
    async run({ send }) {
      refused(await scoreOf(send, randomUUID()), 404, 'NOT_FOUND')
    },
  },
]
