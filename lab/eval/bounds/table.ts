/** The table of docs/attacks.md: every bound, measured with some seeds, the worst of them. */
import type { Model } from '../../../src/domain/model.ts'
import type { Table } from '../report.ts'
import { type Bound, type Check, type Mode, marginOf, NEVER, rangeText } from './bound.ts'
import { BOUNDS } from './bounds.ts'

export interface BoundRow {
  readonly row: string
  readonly attack: string
  readonly measure: string
  readonly before: string
  readonly asked: string
  /** The worst of all seeds. */
  readonly value: number
  readonly isReached: boolean
}

export interface BoundPlan {
  readonly model: Model
  readonly mode: Mode
  readonly seeds: readonly number[]
}

export function measureBounds(
  { model, mode, seeds }: BoundPlan,
  bounds = BOUNDS,
): readonly BoundRow[] {
  return bounds.flatMap((bound) => {
    const runs = seeds.map((seed) => bound.run({ model, mode, seed }))
    return (runs[0] ?? []).map((check, i) => {
      const worst = runs.map((checks) => checks[i] ?? check).reduce(worseOf)
      return rowOf(bound, worst)
    })
  })
}

function worseOf(a: Check, b: Check): Check {
  return marginOf(b.value, b.asked) < marginOf(a.value, a.asked) ? b : a
}

function rowOf({ row, what, before }: Bound, { measure, value, asked }: Check): BoundRow {
  return {
    row,
    attack: what,
    measure,
    before,
    asked: rangeText(asked),
    value: Math.round(10 * value) / 10,
    isReached: marginOf(value, asked) >= 0,
  }
}

export function boundTable(rows: readonly BoundRow[]): Table {
  return {
    head: ['row', 'what happens', 'model 1.2.0', 'measure', 'asked', 'measured', ''],
    rows: rows.map(({ row, attack, before, measure, asked, value, isReached }, i) => {
      const isFirst = rows[i - 1]?.attack !== attack
      const figure = value === NEVER ? 'never' : String(value)
      return [
        isFirst ? row : '',
        isFirst ? attack : '',
        isFirst ? before : '',
        measure,
        asked,
        figure,
        isReached ? '' : 'not reached',
      ]
    }),
  }
}
