import type { Predictor } from '../models.ts'
import type { Chance } from './simulated-agent.ts'

/** Null where it never comes to that. */
export type Measures = Readonly<Record<string, number | null>>

/** Something that agents or platforms do, and what it does to a score. */
export interface Scenario {
  readonly name: string
  run(model: Predictor, chance: Chance): Measures
}
