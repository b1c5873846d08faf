import { expect, test } from 'vitest'
import type { Job } from '../store/delivery-job.ts'
import type { Attempt } from './attempt.ts'
import { decideAttempts } from './decide-attempts.ts'
import { HEALTHY } from './health.ts'
import { noResponse } from './post.ts'
import { RETRY_DELAYS_MS } from './schedule.ts'

const NOW = 1_800_000_000_000
const HOUR = 3_600_000
const OK: Attempt = { ...noResponse(''), outcome: 'delivered', status: 200 }
const FAILED: Attempt = { ...noResponse('timed out'), durationMs: 15_000 }
const GONE: Attempt = { ...OK, outcome: 'gone', status: 410 }

const middle = () => 0.5

function jobOf(over: Partial<Job> = {}): Job {
  const job = { id: 'job', subscriptionId: 'hook', orderingKey: 'agent' }
  return { ...job, scheduledAttempts: 0, plannedAt: null, ...over }
}

function decideOne(job: Job, attempt: Attempt) {
  const health = new Map([['hook', HEALTHY]])
  const decision = decideAttempts([{ job, attempt, endedAt: NOW }], health, middle)
  return { ...decision, write: decision.attempts[0] }
}

test('a failed attempt moves its delivery on in the schedule and counts against the subscription', () => {
  const { write, health } = decideOne(jobOf({ scheduledAttempts: 1 }), FAILED)
  expect(write).toMatchObject({
    status: 'pending',
    scheduledAttempts: 2,
    nextAttemptAt: NOW + (RETRY_DELAYS_MS[1] ?? 0),
    record: { at: NOW - 15_000, error: 'timed out' },
  })
  expect(health.get('hook')).toMatchObject({ consecutiveFailures: 1 })
})

test('a delivery fails for good when its tenth attempt fails', () => {
  expect(decideOne(jobOf({ scheduledAttempts: 9 }), FAILED).write?.status).toBe('failed')
})

test('a failed attempt on the owner’s request changes neither the schedule nor the health', () => {
  const job = jobOf({ scheduledAttempts: 4, plannedAt: NOW + HOUR })
  const { write, health } = decideOne(job, FAILED)
  expect(write).toMatchObject({
    status: 'pending',
    scheduledAttempts: 4,
    nextAttemptAt: NOW + HOUR,
  })
  expect(health).toEqual(new Map())
})

test('a 410 disables the subscription even on the owner’s request', () => {
  const { health, closed } = decideOne(jobOf({ plannedAt: NOW + HOUR }), GONE)
  expect(health.get('hook')).toMatchObject({ status: 'disabled', reason: 'gone' })
  expect(closed).toEqual(['hook'])
})

test('a successful attempt at a healthy receiver changes no health and locks no subscription', () => {
  const { write, health, closed } = decideOne(jobOf(), OK)
  expect(write?.status).toBe('delivered')
  expect([health, closed]).toEqual([new Map(), []])
})

test('a subscription that was deleted meanwhile is sent nothing more', () => {
  const ended = [{ job: jobOf(), attempt: FAILED, endedAt: NOW }]
  expect(decideAttempts(ended, new Map(), middle).closed).toEqual(['hook'])
})
