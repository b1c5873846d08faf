/** The bounds under attack, once with a fixed seed; `npm run attack` measures them with more. */
import { describe, expect, test } from 'vitest'
import { MODEL } from '../../../src/domain/model.ts'
import { someOf } from '../../../test/support/cases.ts'
import { marginOf, rangeText } from './bound.ts'
import { BOUNDS } from './bounds.ts'

const RUN = { model: MODEL, mode: 'verified', seed: 101 } as const

describe.each(someOf(BOUNDS).map((bound) => [`row ${bound.row}: ${bound.what}`, bound] as const))(
  '%s',
  (_, bound) => {
    const measured = () => bound.run(RUN)
    test('stays within the documented bound', { timeout: 120_000 }, () => {
      for (const { measure, value, asked, holds = asked } of measured()) {
        const what = `${measure}: ${value.toFixed(1)}, the bound is ${rangeText(holds)}`
        expect(marginOf(value, holds), what).toBeGreaterThanOrEqual(0)
      }
    })
  },
)
