import { describe, expect, test } from 'vitest'
import { send } from '../support/http.ts'
import { refusal } from '../support/refusals.ts'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const scores = at.anyone.score
const { operator } = at.operator

/** An agent that translates well and writes code badly, as one established platform reports. */
const { agent, client } = await newAgent(at)
const { client: platform } = await newPlatform(at)
await platform.events.report(
  agent.id,
  Array.from({ length: 60 }, (_, i) => ({
    type: i % 3 === 2 ? ('task.failed' as const) : ('task.completed' as const),
    data: { taskClass: i % 3 === 0 ? 'translation' : 'code' },
  })),
)

function url(taskClass: string, path = 'score'): string {
  return `${at.url}/v1/agents/${agent.id}/${path}?taskClass=${encodeURIComponent(taskClass)}`
}

describe('a score with a class of work', () => {
  test('has the overall score, and the score of the class beside it', async () => {
    const { taskClass, ...whole } = await scores.get(agent.id, { taskClass: 'translation' })
    const { computedAt: _, ...alone } = await scores.get(agent.id)
    expect(whole).toMatchObject(alone)
    expect(taskClass).toMatchObject({
      name: 'translation',
      isKnown: true,
      eventCount: 20,
      platforms: 1,
      confidence: 'low',
    })
    expect(taskClass?.score).toBeGreaterThan(whole.score)
    expect(taskClass?.difference).toBe((taskClass?.score ?? 0) - whole.score)
    expect(taskClass?.forecast?.probability).toBeGreaterThan(whole.forecast.task?.probability ?? 1)
  })

  test('of an unknown class is the overall score, and says that the class is unknown', async () => {
    const { taskClass, ...whole } = await scores.get(agent.id, { taskClass: 'law' })
    expect(taskClass).toMatchObject({
      isKnown: false,
      eventCount: 0,
      score: whole.score,
      difference: 0,
      interval: whole.interval,
      forecast: whole.forecast.task,
    })
  })

  test('without a class has no such field', async () => {
    expect(await scores.get(agent.id)).not.toHaveProperty('taskClass')
  })

  test('explains the class by its difference to the overall score, and the parts add up', async () => {
    const explained = await scores.explain(agent.id, { taskClass: 'code' })
    const { start, time, correction, dimensions } = explained.contributions
    const points = dimensions.reduce((sum, one) => sum + one.points, start + time + correction)
    expect(points).toBe(explained.score)
    const { taskClass } = await scores.get(agent.id, { taskClass: 'code' })
    expect(explained.taskClass).toEqual(taskClass)
    expect(points + (taskClass?.difference ?? 0)).toBe(taskClass?.score)
  })

  test('as of a past time uses what was known then', async () => {
    const { agent: other } = await newAgent(at)
    await platform.events.submit(other.id, {
      type: 'task.completed',
      data: { taskClass: 'translation' },
    })
    const then = await scores.get(other.id, { taskClass: 'translation' })
    while (Date.now() <= Date.parse(then.computedAt)) {}
    await platform.events.submit(other.id, {
      type: 'task.failed',
      data: { taskClass: 'translation' },
    })
    const query = { at: then.computedAt, taskClass: 'translation' }
    expect(await scores.get(other.id, query)).toEqual({ ...then, correctedAt: null })
    expect((await scores.get(other.id, { taskClass: 'translation' })).taskClass?.eventCount).toBe(2)
  })

  test('counts a released report of the class, and not a quarantined one', async () => {
    const { agent: other } = await newAgent(at)
    const held = await platform.events.submit(other.id, {
      type: 'task.completed',
      data: { taskClass: 'translation', success: false },
    })
    const count = async () =>
      (await scores.get(other.id, { taskClass: 'translation' })).taskClass?.eventCount
    expect(await count()).toBe(0)
    await operator.review(held.id, { decision: 'released', reason: 'It is fine.' })
    expect(await count()).toBe(1)
  })

  test('ignores what the agent reports about its own classes', async () => {
    await client.events.submit(agent.id, { type: 'task.completed', data: { taskClass: 'own' } })
    expect((await scores.get(agent.id, { taskClass: 'own' })).taskClass?.isKnown).toBe(false)
  })
})

describe('the tag of a response', () => {
  const tagOf = async (address: string) => (await send(address)).headers.get('etag') ?? ''

  test('differs between classes and from the score without a class', async () => {
    const tags = [
      await tagOf(`${at.url}/v1/agents/${agent.id}/score`),
      await tagOf(url('code')),
      await tagOf(url('Code')),
      await tagOf(url('"*/日本')),
    ]
    expect(new Set(tags).size).toBe(4)
    for (const tag of tags) {
      expect(tag).toMatch(/^W\/"[\w.-]+"$/)
    }
  })

  test('stays while nothing changes, and changes with the next report', async () => {
    const tag = await tagOf(url('code'))
    const headers = { 'if-none-match': tag }
    expect((await send(url('code'), { headers })).status).toBe(304)
    await platform.events.submit(agent.id, { type: 'task.failed', data: { taskClass: 'code' } })
    expect((await send(url('code'), { headers })).status).toBe(200)
  })
})

describe('an invalid class', () => {
  test.each(['score', 'score/explanation'])('of the %s is refused by name', async (path) => {
    for (const wrong of ['', 'x'.repeat(65)]) {
      const { status, code, paths } = await refusal(url(wrong, path), {})
      expect({ status, code, paths }).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        paths: ['query.taskClass'],
      })
    }
    expect((await send(url('x'.repeat(64), path))).status).toBe(200)
  })

  test('is refused when it is given twice', async () => {
    const { code } = await refusal(`${url('code')}&taskClass=text`, {})
    expect(code).toBe('VALIDATION_ERROR')
  })
})
