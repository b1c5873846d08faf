import type { Chance } from '../../../src/domain/testing/chance.ts'
import type { Predictor } from '../models.ts'

/** By name of the measure; null where the scenario never comes to that. */
export type Measures = Readonly<Record<string, number | null>>

/** Something that agents or platforms do, and what it does to a score. */
export interface Scenario {
  readonly name: string
  run(model: Predictor, chance: Chance): Measures
}
