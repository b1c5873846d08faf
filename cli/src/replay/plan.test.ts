import { describe, expect, test } from 'vitest'
import type { StreamLine } from './lines.ts'
import { type PlanOptions, plannedEvents, planOf } from './plan.ts'

const ALL = Number.POSITIVE_INFINITY
const EVERYTHING: PlanOptions = { history: ALL, future: 100, eventsMax: ALL }

/** `a1 b0` are a good event of a and a bad one of b; `a=0` closes a. Times count up. */
async function* stream(text: string): AsyncGenerator<StreamLine, void> {
  for (const [t, word] of text.split(' ').entries()) {
    const agent = word.charAt(0)
    const bit = word.endsWith('1') ? 1 : 0
    if (word.includes('=')) {
      yield { agent, outcome: bit }
    } else {
      const number = t + 1
      const type = 'task.completed'
      yield { agent, platform: `p${agent}`, t, type, data: {}, good: bit, number }
    }
  }
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) {
    all.push(item)
  }
  return all
}

async function planned(text: string, options: PlanOptions): Promise<string> {
  const plan = await planOf(stream(text), options)
  const events = await collect(plannedEvents(stream(text), plan, options))
  expect(events).toHaveLength(plan.events)
  return events.map(({ plan, index }) => `${plan.name}${index}`).join(' ')
}

async function truths(text: string, options: PlanOptions): Promise<Record<string, unknown>> {
  const { agents } = await planOf(stream(text), options)
  return Object.fromEntries([...agents].map(([name, { truth }]) => [name, truth]))
}

describe('a plan', () => {
  test('reports the first events of each agent and compares with the next ones', async () => {
    const options = { history: 2, future: 2, eventsMax: ALL }
    const text = 'a1 b1 a0 a1 b1 a0 a1 b0'
    expect(await planned(text, options)).toBe('a0 b0 a1 b1')
    expect(await truths(text, options)).toEqual({
      a: { good: 1, total: 2 },
      b: { good: 0, total: 1 },
    })
  })

  test('compares nothing for an agent with no later events or too few', async () => {
    const options = { history: 2, future: 9, eventsMax: ALL }
    expect(await truths('a1 a1 b1', options)).toEqual({ a: undefined, b: undefined })
  })

  test('compares with a given outcome, however short the history', async () => {
    expect(await truths('a1 a=0 b0 b=1', EVERYTHING)).toEqual({
      a: { good: 0, total: 1 },
      b: { good: 1, total: 1 },
    })
  })

  test('that ends early compares nothing for agents with incomplete histories', async () => {
    const options = { history: 2, future: 9, eventsMax: 3 }
    const text = 'a1 a1 a0 b1 b1 b0 c1 c=1'
    expect(await planned(text, options)).toBe('a0 a1 b0')
    expect(await truths(text, options)).toEqual({ a: { good: 0, total: 1 }, b: undefined })
  })

  test('has the time span of the reported events, and the platforms in order', async () => {
    const plan = await planOf(stream('b1 a0 a1 b0 b1'), { ...EVERYTHING, history: 2 })
    expect(plan.agents.get('b')).toMatchObject({ from: 0, to: 3, reported: 2, reportedGood: 1 })
    expect([...plan.platforms]).toEqual([
      ['pb', 0],
      ['pa', 1],
    ])
  })
})
