/** The table of docs/attacks.md: every bound, measured with some seeds, the worst of them. */
import type { Model } from '../../../src/domain/model.ts'
import type { Table } from '../../report.ts'
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

/** A row where platforms are verified, and the same where they are established by what they reported. */
export interface BoundInBothModes extends BoundRow {
  readonly learnt: Pick<BoundRow, 'value' | 'isReached'>
}

export interface BoundPlan {
  readonly model: Model
  readonly mode: Mode
  readonly seeds: readonly number[]
}

function measureBounds({ model, mode, seeds }: BoundPlan, bounds = BOUNDS): readonly BoundRow[] {
  return bounds.flatMap((bound) => {
    const runs = seeds.map((seed) => bound.run({ model, mode, seed }))
    return (runs[0] ?? []).map((check, i) => {
      const worst = runs.map((checks) => checks[i] ?? check).reduce(worseOf)
      return rowOf(bound, worst)
    })
  })
}

export function measureInBothModes(plan: Omit<BoundPlan, 'mode'>): readonly BoundInBothModes[] {
  const learnt = measureBounds({ ...plan, mode: 'learnt' })
  return measureBounds({ ...plan, mode: 'verified' }).map((row, i) => {
    const { value, isReached } = learnt[i] ?? row
    return { ...row, learnt: { value, isReached } }
  })
}

function worseOf(a: Check, b: Check): Check {
  return marginOf(b.value, b.asked) < marginOf(a.value, a.asked) ? b : a
}

function rowOf({ row, what, before = '' }: Bound, { measure, value, asked }: Check): BoundRow {
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

export function boundTable(rows: readonly BoundInBothModes[]): Table {
  return {
    head: ['row', 'what happens', 'model 1.2.0', 'measure', 'asked', 'verified', 'learnt', ''],
    rows: rows.map(({ row, attack, before, measure, asked, value, isReached, learnt }, i) => {
      const isFirst = rows[i - 1]?.attack !== attack
      return [
        isFirst ? row : '',
        isFirst ? attack : '',
        isFirst ? before : '',
        measure,
        asked,
        figureOf(value),
        figureOf(learnt.value),
        missedIn(isReached, learnt.isReached),
      ]
    }),
  }
}

function figureOf(value: number): string {
  return value === NEVER ? 'never' : String(value)
}

function missedIn(isReached: boolean, isReachedLearnt: boolean): string {
  if (isReached && isReachedLearnt) {
    return ''
  }
  return isReached ? 'not reached if learnt' : 'not reached'
}
