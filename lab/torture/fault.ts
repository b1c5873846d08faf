import type { Load } from './load.ts'
import type { Stage, StageOptions } from './stage.ts'

/** One way in which things go wrong. */
export interface Fault {
  readonly name: string
  /** What happens, in a few words, for the table. */
  readonly what: string
  /** Why this machine cannot do it; null where it can. */
  readonly impossible?: () => string | null
  /** Of how many agents the load reports; all of the stage by default. */
  readonly agents?: number
  /**
   * Makes what a stage of its own stands on, and returns how to open it and how to take it away. Faults
   * without it share three nodes on one database behind a proxy.
   */
  readonly prepare?: () => Promise<Prepared>
  /** Does it once, while the load runs. It is over when this returns. */
  strike(scene: Scene): Promise<void>
}

export interface Prepared {
  readonly stage: StageOptions
  remove?(): Promise<void>
}

export interface Scene {
  readonly stage: Stage
  readonly load: Load
  /** Counts from 0. */
  readonly round: number
  /** The next random number, 0 to 1; every run with the same seed draws the same numbers. */
  readonly random: () => number
}
