/** How well calibrated the forecast is, and how much of its error is chance. */

import { figure, type Titled } from '../../report.ts'
import { FORECAST } from '../models.ts'
import { type Calibration, calibrationOf } from './calibration.ts'
import { type Length, lengthsOf, predict, type SetPlan } from './settings.ts'
import type { History } from './streams.ts'

/** Of the forecast. */
export interface CalibrationRow extends Calibration {
  readonly set: string
  readonly n: Length
}

/** Of the forecast, wherever fifty events or more were known. */
export function calibrationsOf(
  plan: SetPlan,
  histories: readonly History[],
): readonly CalibrationRow[] {
  const lengths = lengthsOf(plan).filter((n) => n === '50+' || (typeof n === 'number' && n >= 50))
  // To predict takes much longer than the rest.
  if (lengths.length === 0) {
    return []
  }
  const byAgent = histories.map((history) => predict(FORECAST, plan, [history]))
  return lengths.map((n) => {
    const known = byAgent.map((said) => said.get(n) ?? []).filter(({ length }) => length > 0)
    return { set: plan.name, n, ...calibrationOf(known) }
  })
}

export function calibrationTable(rows: readonly CalibrationRow[]): Titled {
  return {
    title:
      'Calibration error of the forecast with fifty events and more, and what chance makes of it',
    table: {
      head: [
        'set',
        'n',
        'agents',
        'later events',
        'error',
        'in bins of equal count',
        'a perfect forecaster: mean (95 % below)',
        'other such agents: 90 % between',
      ],
      rows: rows.map((row) => [
        row.set,
        String(row.n),
        String(row.agents),
        String(row.events),
        figure(row.ece),
        figure(row.equalCount),
        `${figure(row.floor)} (${figure(row.floorMost)})`,
        `${figure(row.low)} and ${figure(row.high)}`,
      ]),
    },
  }
}
