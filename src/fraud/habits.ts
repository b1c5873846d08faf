import { digestOf } from './digest.ts'
import type { InspectedEvent } from './rule.ts'

/** What is remembered of an agent's events to judge the next one: small, and of fixed size. */
export interface Habits {
  /** Digests of the last events whose reporter said when they happened, newest last. */
  readonly recent: readonly string[]
  /** The latest minute in which anything happened, and how much did. */
  readonly minute: { readonly startedAt: number; readonly self: number; readonly platform: number }
}

/** Copies come back soon after the original; sixty-four covers most of an hour at the cap of 100. */
const RECENT_MAX = 64

export const MINUTE_MS = 60_000

export const NO_HABITS: Habits = { recent: [], minute: { startedAt: 0, self: 0, platform: 0 } }

export function minuteOf(time: number): number {
  return time - (time % MINUTE_MS)
}

/** The habits after one more event, held or not: what was held is remembered too. */
export function remember(habits: Habits, event: InspectedEvent): Habits {
  return { recent: nextRecent(habits, event), minute: nextMinute(habits, event) }
}

function nextRecent({ recent }: Habits, event: InspectedEvent): readonly string[] {
  if (!event.occurredAtGiven) return recent
  return [...recent.slice(1 - RECENT_MAX), digestOf(event)]
}

function nextMinute({ minute }: Habits, event: InspectedEvent): Habits['minute'] {
  const startedAt = minuteOf(event.occurredAt)
  if (startedAt < minute.startedAt) return minute
  const same = startedAt === minute.startedAt
  return {
    startedAt,
    self: (same ? minute.self : 0) + (event.self ? 1 : 0),
    platform: (same ? minute.platform : 0) + (event.self ? 0 : 1),
  }
}

export function encodeHabits(habits: Habits): string {
  return JSON.stringify(habits)
}

export function decodeHabits(text: string): Habits {
  return JSON.parse(text) as Habits
}
