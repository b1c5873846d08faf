/**
 * What attacks cost and gain, on our score and on simpler models: `npm run attack [-- --json FILE]
 * [--quick]`. The whole run, not the quick one, writes its table into docs/scoring.md.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
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

/** Each attack is run so many times; the middle one is told. */
const SEEDS = 7
const SEEDS_QUICK = 1

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
    options: { json: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  const seeds = values.quick ? SEEDS_QUICK : SEEDS
  const rows = ATTACKS.flatMap((attack) => MODELS.flatMap((model) => measure(attack, model, seeds)))
  process.stdout.write(`${plain(tableOf(rows))}\n`)
  if (values.json) {
    writeRows(values.json, rows)
  }
  if (values.quick) {
    return
  }
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
