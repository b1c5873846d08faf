import type { SimulatedEvent } from './simulation.ts'

/** Noon of a day in 2026, so that streams of some hours stay within one day. */
export const NOON = Date.UTC(2026, 5, 15, 12)

/** `count` events of a kind, `stepMs` apart. */
export function times(
  count: number,
  stepMs: number,
  one: (at: number, index: number) => SimulatedEvent,
  from = NOON,
): readonly SimulatedEvent[] {
  return Array.from({ length: count }, (_, index) => one(from + index * stepMs, index))
}

/** The same hundredths in every run: a linear congruential generator. */
export function hundredths(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor(state / 65_536) % 100
  }
}
