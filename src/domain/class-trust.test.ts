import { expect, test } from 'vitest'
import { classFactor } from './class-trust.ts'
import { type CountedEvent, foldEvents, newEvidence } from './evidence.ts'
import { MODEL } from './model.ts'

const START = 20_000 * 86_400_000

function tasks(taskClass: string, good: number, bad: number, self = false): CountedEvent[] {
  return Array.from({ length: good + bad }, (_, i) => ({
    type: i < good ? 'task.completed' : 'task.failed',
    data: { taskClass },
    reporter: 'p',
    self,
    at: START,
  }))
}

function factor(name: string, ...events: readonly CountedEvent[]): number {
  return classFactor(MODEL, foldEvents(MODEL, newEvidence(MODEL, START), events), name)
}

test('a class that goes worse than the rest has greater bad odds, one that goes better has less', () => {
  const events = [...tasks('code', 90, 10), ...tasks('legal', 60, 40)]
  expect(factor('legal', ...events)).toBeGreaterThan(1.2)
  expect(factor('code', ...events)).toBeLessThan(0.8)
})

test('a class nobody reported is judged as the whole', () => {
  expect(factor('unknown', ...tasks('code', 90, 10))).toBe(1)
})

test('a handful of reports hardly moves a class from the whole', () => {
  const events = [...tasks('code', 900, 100), ...tasks('legal', 3, 0)]
  expect(factor('legal', ...events)).toBeGreaterThan(0.7)
})

test('a class is at most four times better or worse than the whole', () => {
  const events = [...tasks('code', 400, 400), ...tasks('own', 400, 0)]
  expect(factor('own', ...events)).toBe(1 / 4)
})

test('an agent cannot make a class of its own by self-reports', () => {
  expect(factor('own', ...tasks('code', 50, 50), ...tasks('own', 400, 0, true))).toBe(1)
})
