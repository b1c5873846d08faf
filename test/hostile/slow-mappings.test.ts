import { expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })

/** Twenty rules of ten conditions, each with two hundred values; but for the last rule, one condition holds late and one not at all. */
const VALUES = Array.from({ length: 200 }, (_, i) => `w${i}`)
const LIST = [...Array<string>(99).fill('q1'), 'zz']
const [LATE, NEVER] = [[...VALUES.slice(1), 'zz'], VALUES].map((values) => ({
  path: '/data/list/*',
  in: values,
}))
const WHEN = [...Array(9).fill(LATE), NEVER]

const RULE = {
  agent: [{ path: '/data/agent' }],
  type: { constant: 'task.completed' },
  externalId: ['/id'],
}
const RULES = [...Array.from({ length: 19 }, () => ({ ...RULE, when: WHEN })), RULE]

/** How many requests of others are answered, one after the other, while some work is done. */
async function answeredDuring<T>(work: Promise<T>) {
  let [count, isDone] = [0, false]
  const others = async () => {
    while (!isDone) {
      await fetch(`${at.url}/healthz`)
      count += 1
    }
  }
  const asking = others()
  const answer = await work
  isDone = true
  await asking
  return { answer, count }
}

test.each([
  ['a mapping of the platform', 'slow', () => '/v1/mappings/slow/events'],
  ['its mapping of CloudEvents', 'cloudevents', (id: string) => `/v1/agents/${id}/events/batch`],
])(
  'others are answered while a batch is read by the largest of rules, by %s',
  async (_, name, pathOf) => {
    const { agent } = await newAgent(at)
    const { platform, client } = await newPlatform(at)
    const data = { agent: agent.id, list: LIST }
    await client.mappings.put(name, { rules: RULES, sample: { id: '1', data } })
    const events = Array.from({ length: 100 }, (_, i) => ({
      specversion: '1.0',
      id: `${name} ${i}`,
      source: '/orders',
      type: 'org.example.done',
      data,
    }))
    const { answer, count } = await answeredDuring(
      fetch(at.url + pathOf(agent.id), {
        method: 'POST',
        body: JSON.stringify(events),
        headers: {
          'content-type': 'application/cloudevents-batch+json',
          'x-api-key': platform.apiKey,
        },
      }).then((response) => response.json()),
    )
    expect(answer).toMatchObject({ accepted: 100, rejected: 0 })
    expect(count).toBeGreaterThan(12)
  },
)
