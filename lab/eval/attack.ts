/**
 * What attacks cost and gain: `npm run attack [-- --json FILE] [--quick] [--learnt]`. First what the
 * score promises, row by row, through the whole ingest; then scenarios on the score and on simpler
 * models. The whole run, not the quick one, writes its tables into docs/attacks.md and docs/scoring.md.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MODEL } from '../../src/domain/model.ts'
import { boundTable, measureBounds } from './bounds/table.ts'
import { BASELINES, type Predictor, SCORE } from './models.ts'
import { markdown, plain, type Table, writeRows, writeSection } from './report.ts'
import {
  betrayal,
  defaults,
  onOff,
  rental,
  tinyThenLarge,
  whitewashing,
} from './simulate/exit-scam.ts'
import { firstDay, honest, oneDimension, rehabilitation } from './simulate/honest.ts'
import { badMouthing, ballotStuffing, ring, selfReports } from './simulate/reputation-attacks.ts'
import type { Scenario } from './simulate/scenario.ts'
import { chanceOf } from './simulate/simulated-agent.ts'

const ATTACKS: readonly Scenario[] = [
  honest,
  firstDay,
  oneDimension,
  rehabilitation,
  whitewashing,
  betrayal,
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

/** Each attack is run so many times; the middle one is shown. */
const SEEDS = 7
const SEEDS_QUICK = 1

/** Seeds of the bounds; none of them was used while the model's figures were chosen. */
const BOUND_SEEDS = [101, 102, 103]

const BOUNDS_PAGE = join('docs', 'attacks.md')
const PAGE = join('docs', 'scoring.md')

interface Row {
  readonly attack: string
  readonly measure: string
  readonly model: string
  /** Points, events, days or percent, as the measure says; null for never. */
  readonly value: number | null
}

function run(): void {
  const { values } = parseArgs({
    options: {
      json: { type: 'string' },
      quick: { type: 'boolean', default: false },
      learnt: { type: 'boolean', default: false },
    },
  })
  const bounds = measureBounds({
    model: MODEL,
    mode: values.learnt ? 'learnt' : 'verified',
    seeds: values.quick ? BOUND_SEEDS.slice(0, 1) : BOUND_SEEDS,
  })
  process.stdout.write(`${plain(boundTable(bounds))}\n\n`)
  const seeds = values.quick ? SEEDS_QUICK : SEEDS
  const rows = ATTACKS.flatMap((attack) => MODELS.flatMap((model) => measure(attack, model, seeds)))
  process.stdout.write(`${plain(tableOf(rows))}\n`)
  if (values.json) {
    writeRows(values.json, [...bounds, ...rows])
  }
  if (values.quick || values.learnt) {
    return
  }
  writeSection(BOUNDS_PAGE, 'bounds', markdown(boundTable(bounds)))
  writeSection(PAGE, 'attack', markdown(tableOf(rows)))
}

function measure(attack: Scenario, model: Predictor, seeds: number): readonly Row[] {
  const runs = Array.from({ length: seeds }, (_, i) => attack.run(model, chanceOf(i + 1)))
  return Object.keys(runs[0] ?? {}).map((name) => {
    const value = median(runs.map((measures) => measures[name] ?? null))
    return { attack: attack.name, measure: name, model: model.name, value }
  })
}

/** Never is more than any number. */
function median(values: readonly (number | null)[]): number | null {
  const sorted = values.map((value) => value ?? Infinity).sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? Infinity
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
