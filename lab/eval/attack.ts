import { join } from 'node:path'
import { MODEL } from '../../src/domain/model.ts'
import { chanceOf } from '../../src/domain/testing/chance.ts'
import { endWith, readOptions } from '../options.ts'
import { markdown, plain, resultsTo, type Table, writeSection } from '../report.ts'
import { median } from '../statistics.ts'
import { boundTable, measureInBothModes } from './bounds/table.ts'
import { BASELINES, type Predictor, SCORE } from './models.ts'
import { makePriceList, printable, writePriceList } from './search/price-list.ts'
import {
  defaults,
  exitScam,
  onOff,
  rental,
  tinyThenLarge,
  whitewashing,
} from './simulate/exit-scam.ts'
import { firstDay, honest, oneDimension, rehabilitation } from './simulate/honest.ts'
import { badMouthing, ballotStuffing, ring, selfReports } from './simulate/reputation-attacks.ts'
import type { Scenario } from './simulate/scenario.ts'

const ATTACKS: readonly Scenario[] = [
  honest,
  firstDay,
  oneDimension,
  rehabilitation,
  whitewashing,
  exitScam,
  defaults,
  tinyThenLarge,
  onOff,
  rental,
  selfReports,
  ring,
  ballotStuffing,
  badMouthing,
]

const MODELS: readonly Predictor[] = [...BASELINES, SCORE]

/** Each attack is run this many times; the middle one is shown. */
const SEEDS = 7
const SEEDS_QUICK = 1

/** Seeds of the bounds; none of them was used while the model's figures were chosen. */
const BOUND_SEEDS = [101, 102, 103]

/** Plans played for each line of the price list: those of the published list, and of a quick run. */
const BUDGET = 300
const BUDGET_QUICK = 3

const BOUNDS_PAGE = join('docs', 'attacks.md')
const PAGE = join('docs', 'scoring.md')

interface Row {
  readonly attack: string
  readonly measure: string
  readonly model: string
  /** Points, events, days or percent, as the measure says; null for never. */
  readonly value: number | null
}

const USAGE = `npm run attack -- [--json [FILE]] [--quick] [--only PART] [--seed N] [--budget N]

Measures what attacks on a score gain and cost, in three parts:

bounds     the bounds of the score, row by row, through the whole ingest
prices     the cheapest attacks that a search finds
scenarios  attacks on the score and on simpler models

Without --quick each part writes its tables into README.md, docs/attacks.md and docs/scoring.md.`

const values = readOptions(USAGE, {
  json: null,
  quick: false,
  only: null,
  seed: 1,
  budget: BUDGET,
})

const results = resultsTo(values.json)

const writes = !values.quick

const PARTS = { bounds, prices, scenarios } as const

function run(): void {
  const names = Object.keys(PARTS) as (keyof typeof PARTS)[]
  const chosen = names.filter((name) => values.only === null || values.only === name)
  if (chosen.length === 0) {
    endWith(`--only takes one of ${names.join(', ')}`)
  }
  results.finish(chosen.flatMap((name) => PARTS[name]()))
}

function say(text: string): void {
  results.say(`${text}\n\n`)
}

function bounds(): readonly object[] {
  const rows = measureInBothModes({
    model: MODEL,
    seeds: values.quick ? BOUND_SEEDS.slice(0, 1) : BOUND_SEEDS,
  })
  say(plain(boundTable(rows)))
  if (writes) {
    writeSection(BOUNDS_PAGE, 'bounds', markdown(boundTable(rows)))
  }
  return rows
}

function prices(): readonly object[] {
  const budget = values.quick ? BUDGET_QUICK : values.budget
  const date = new Date().toISOString().slice(0, 10)
  const list = makePriceList(MODEL, { seed: values.seed, budget, date })
  say(printable(list))
  if (writes) {
    writePriceList(list)
  }
  return list.rows
}

function scenarios(): readonly object[] {
  const seeds = values.quick ? SEEDS_QUICK : SEEDS
  const rows = ATTACKS.flatMap((attack) => MODELS.flatMap((model) => measure(attack, model, seeds)))
  say(plain(tableOf(rows)))
  if (writes) {
    writeSection(PAGE, 'attack', markdown(tableOf(rows)))
  }
  return rows
}

function measure(attack: Scenario, model: Predictor, seeds: number): readonly Row[] {
  const runs = Array.from({ length: seeds }, (_, i) => attack.run(model, chanceOf(i + 1)))
  return Object.keys(runs[0] ?? {}).map((name) => {
    const value = middleOf(runs.map((measures) => measures[name] ?? null))
    return { attack: attack.name, measure: name, model: model.name, value }
  })
}

/** Never is more than any number. */
function middleOf(values: readonly (number | null)[]): number | null {
  const middle = median(values.map((value) => value ?? Infinity))
  return middle === Infinity ? null : Math.round(10 * middle) / 10
}

function tableOf(rows: readonly Row[]): Table {
  const ours = rows.filter(({ model }) => model === SCORE.name)
  return {
    head: ['attack', 'measure', ...MODELS.map(({ label }) => label)],
    rows: ours.map(({ attack, measure }, i) => [
      attack === ours[i - 1]?.attack ? '' : attack,
      measure,
      ...MODELS.map(({ name }) => {
        const row = rows.find(
          (row) => row.attack === attack && row.measure === measure && row.model === name,
        )
        return row?.value == null ? 'never' : String(Math.round(row.value))
      }),
    ]),
  }
}

run()
