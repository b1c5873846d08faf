import { below, chanceOf } from '../../domain/testing/chance.ts'
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

/** Whole numbers from 0 to 99, the same in every run of a seed. */
export function hundredths(seed: number): () => number {
  const chance = chanceOf(seed)
  return () => below(chance, 100)
}
