/** The bounds of the score under attack and for honest agents, as scenarios that measure them. */
import type { Model } from '../../../src/domain/model.ts'

/** `verified`: the operator verified the platforms. `learnt`: a hundred days established them. */
export type Mode = 'verified' | 'learnt'

export interface Run {
  readonly model: Model
  readonly mode: Mode
  readonly seed: number
}

export interface Range {
  readonly least?: number
  readonly most?: number
}

export interface Check {
  readonly measure: string
  readonly value: number
  readonly asked: Range
  /** What holds instead, where `asked` is not reached. */
  readonly holds?: Range
}

export interface Bound {
  /** Of the table in docs/attacks.md. */
  readonly row: string
  readonly what: string
  /** What model 1.2.0 made of it, measured with that model; absent where that was not measured. */
  readonly before?: string
  run(run: Run): readonly Check[]
}

/** How far inside a range a value is; negative outside. */
export function marginOf(value: number, { least = -Infinity, most = Infinity }: Range): number {
  return Math.min(value - least, most - value)
}

/** Days, or events, that stand for never. */
export const NEVER = 999

/** As `at least 650`. */
export function rangeText({ least, most }: Range): string {
  if (least === NEVER) {
    return 'never'
  }
  if (least === undefined) {
    return most === undefined ? '' : `at most ${most}`
  }
  return most === undefined ? `at least ${least}` : `${least} to ${most}`
}
