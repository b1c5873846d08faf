import { join } from 'node:path'
import { MODEL, type Model } from '../../src/domain/model.ts'
import { readOptions } from '../options.ts'
import { markdown, plain, type Table, writeSection } from '../report.ts'
import { marginOf } from './bounds/bound.ts'
import { BOUNDS } from './bounds/bounds.ts'

const USAGE = `npm run tradeoffs -- [--quick]

Measures what other values of the model's figures cost. Without --quick it writes the table of
docs/attacks.md.`

const VARIANTS: Readonly<Record<string, Partial<Model>>> = {
  'as it is': {},
  'complaints never fade': { complaintFadeMin: 1 },
  'complaints keep half': { complaintFadeMin: 0.5 },
  'complaints keep two thirds': { complaintFadeMin: 0.67 },
  'hardness up to e^6': { hardnessMax: 6 },
  'no alarm': { alarmFrom: 99 },
}

/** Measures that are not reached or bound nothing, by their row and name. */
const WANTED: readonly (readonly [row: string, measure: string])[] = [
  ['7', 'largest difference'],
  ['18', 'lowest score of the best quarter'],
  ['25', 'highest score, two accomplices'],
]

/** The rows that pull the other way. */
const OTHERS = ['3', '4', '5', '22', '24']

const SEED = 101

function measuredBy(figures: Partial<Model>): readonly string[] {
  const model = { ...MODEL, ...figures }
  const values = new Map<string, number>()
  const broken: string[] = []
  for (const { row, what, run } of BOUNDS) {
    if (OTHERS.includes(row) || WANTED.some(([wanted]) => wanted === row)) {
      const checks = run({ model, mode: 'verified', seed: SEED })
      for (const { measure, value, asked } of checks) {
        values.set(`${row} ${measure}`, value)
        if (OTHERS.includes(row) && marginOf(value, asked) < 0) {
          broken.push(`${row}: ${what}, ${measure} ${Math.round(value)}`)
        }
      }
    }
  }
  const wanted = WANTED.map(([row, measure]) => {
    const value = values.get(`${row} ${measure}`)
    if (value === undefined) {
      throw new Error(`row ${row} has no measure "${measure}"`)
    }
    return value.toFixed(0)
  })
  return [...wanted, broken.join('; ') || 'none']
}

function table(count: number | undefined): Table {
  return {
    head: [
      'model',
      '7: largest difference (20)',
      '18: lowest score of the best quarter (650)',
      '25: highest, two accomplices',
      `missed of rows ${OTHERS.join(', ')}`,
    ],
    rows: Object.entries(VARIANTS)
      .slice(0, count)
      .map(([variant, figures]) => [variant, ...measuredBy(figures)]),
  }
}

const values = readOptions(USAGE, { quick: false })
const found = table(values.quick ? 1 : undefined)
process.stdout.write(`${plain(found)}\n`)
if (!values.quick) {
  writeSection(join('docs', 'attacks.md'), 'tradeoffs', markdown(found))
}
