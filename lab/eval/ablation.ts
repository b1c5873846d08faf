import { join } from 'node:path'
import { MODEL, type Model } from '../../src/domain/model.ts'
import { readOptions } from '../options.ts'
import { markdown, plain, resultsTo, type Table, writeSection } from '../report.ts'
import { marginOf } from './bounds/bound.ts'
import { BOUNDS } from './bounds/bounds.ts'

const USAGE = `npm run ablation -- [--quick] [--json [FILE]]

Measures which bounds break without each part of the model. Without --quick it writes the table of
docs/scoring.md.`

const WITHOUT: Readonly<Record<string, Partial<Model>>> = {
  'the whole model': {},
  'no trimming: a mean': { trimLow: 0, trimHigh: 0 },
  'all trimmed: a median': { trimLow: 0.49, trimHigh: 0.49 },
  'no ceiling where trust is denied': { deniedCeiling: MODEL.scoreMax },
  'no alarm': { alarmFrom: 99 },
  'no ceiling in a shared run of bad reports': { sharedRunFrom: 1 },
  'no offset within a series': { offsetMax: 0 },
  'no limit for young agents': { youngShare: 1 },
  'complaints never fade': { complaintFadeMin: 1 },
  'complaints fade at once': { complaintFreshDays: 0 },
  'complaints fade to nothing': { complaintFadeMin: 0 },
  'a first complaint counts fully': { badFull: 0.5 },
  'no dimension prior': { dimensionPrior: 1 },
  'no vote beside others': { othersMax: 0 },
  'uptime counts as much as deals': { monitorsMax: 100 },
  'the crowd has a whole vote': { crowdWeight: 1 },
  'platforms after the 24th in the crowd': { sharedVotesMax: 0 },
  'identity is never lost': { identityFrom: 1 },
  'memory of 80 reports': { massMax: 80 },
  'no half-life': { halfLifeDays: 1e9 },
  'no compression below Excellent': { compressedTo: MODEL.scoreMax },
  'no tenure in identity': { credentialsShare: 1 },
}

/** Not touched by these mechanisms. */
const LEFT_OUT = ['1', '9', '10', '13', '14', '15', '16', '17', '18']

const SEED = 1
const PAGE = join('docs', 'scoring.md')

interface Row {
  readonly variant: string
  readonly row: string
  readonly attack: string
  /** The least margin to what is asked, over all measures, in the measure's units. */
  readonly margin: number
}

function run(): void {
  const values = readOptions(USAGE, { json: null, quick: false })
  const results = resultsTo(values.json)
  const bounds = BOUNDS.filter(({ row }) => !LEFT_OUT.includes(row))
  const variants = Object.entries(WITHOUT).slice(0, values.quick ? 2 : undefined)
  const rows = variants.flatMap(([variant, figures]) =>
    bounds.map(({ row, what, run }): Row => {
      const model = { ...MODEL, ...figures }
      const checks = run({ model, mode: 'verified', seed: SEED })
      const margins = checks.map(({ value, asked }) => marginOf(value, asked))
      return { variant, row, attack: what, margin: Math.round(Math.min(...margins)) }
    }),
  )
  results.say(`${plain(tableOf(rows))}\n`)
  results.finish(rows)
  if (!values.quick) {
    writeSection(PAGE, 'ablation', markdown(tableOf(rows)))
  }
}

/** A line for each variant: the bounds that it breaks although the whole model keeps them. */
function tableOf(rows: readonly Row[]): Table {
  const whole = rows.filter(({ variant }) => variant === 'the whole model')
  const isKept = ({ attack }: Row) => whole.some((one) => one.attack === attack && one.margin >= 0)
  return {
    head: ['without', 'bounds broken', 'row: what happens (by how much the worst measure misses)'],
    rows: [...new Set(rows.map(({ variant }) => variant))].map((variant) => {
      const all = rows.filter((row) => row.variant === variant)
      const broken = all.filter((row) => row.margin < 0 && isKept(row))
      const misses = broken.map(({ row, attack, margin }) => `${row}: ${attack} (${-margin})`)
      return [variant, String(broken.length), misses.join('; ')]
    }),
  }
}

run()
