import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Prediction } from '../../cli/src/replay/predictions.ts'
import { checkDataFolder, readOptions } from '../options.ts'
import {
  figure,
  markdown,
  plain,
  type Results,
  resultsTo,
  type Table,
  type Titled,
  writeSection,
} from '../report.ts'
import { MODELS, type Predictor } from './models.ts'
import {
  type CalibrationRow,
  calibrationsOf,
  calibrationTable,
} from './predict/calibration-rows.ts'
import { classRows, classTable, readTasks } from './predict/classes.ts'
import { reliabilityDiagram } from './predict/diagram.ts'
import { difficultyRows, difficultyTable } from './predict/difficulty.ts'
import { binsOf, type Quality, qualityOf } from './predict/measures.ts'
import { type Length, lengthsOf, predict, SETS, type SetPlan } from './predict/settings.ts'
import { type History, readHistories } from './predict/streams.ts'

interface Row extends Quality {
  readonly set: string
  readonly n: Length
  readonly model: string
}

/** Of a large set, a quick run takes about as many agents, evenly spread. */
const QUICK_AGENTS = 2000

const DOCS = 'docs'
const USAGE = `npm run eval -- [--data FOLDER] [--json [FILE]] [--quick]

Measures how well the score and its forecast foretell what agents do next, on real histories, against simpler
models. Without --quick it writes the tables of docs/scoring.md and the diagrams beside it.`

const PAGE = join(DOCS, 'scoring.md')

/** Drawn: the forecast, and what most others would publish. */
const DRAWN = [
  { model: 'beta', label: 'Beta mean', colour: '#b3541e' },
  { model: 'forecast', label: 'forecast', colour: '#1e5fb3' },
] as const

function run(): void {
  const values = readOptions(USAGE, {
    data: 'data',
    json: null,
    quick: false,
  })
  checkDataFolder(values.data)
  const results = resultsTo(values.json)
  const rows: Row[] = []
  const calibrations: CalibrationRow[] = []
  const diagrams = new Map<string, string>()
  for (const plan of SETS) {
    const all = readHistories(values.data, plan.file)
    const histories = values.quick ? thinned(all) : all
    const said = predictAll(plan, histories)
    rows.push(...rowsOf(plan, said))
    calibrations.push(...calibrationsOf(plan, histories))
    diagrams.set(`reliability-${plan.name}.svg`, diagramOf(plan, said))
  }
  const tasks = readTasks(values.data)
  const classes = classRows(tasks)
  const difficulty = difficultyRows(tasks)
  const tables = [...tablesOf(rows), calibrationTable(calibrations)]
  print(results, [...tables, classTable(classes), difficultyTable(difficulty)])
  results.finish([...rows, ...calibrations, ...classes, ...difficulty])
  if (values.quick) {
    return
  }
  writeSection(PAGE, 'eval', tables.map(sectionOf).join('\n\n'))
  writeSection(PAGE, 'classes', markdown(classTable(classes).table))
  writeSection(PAGE, 'difficulty', markdown(difficultyTable(difficulty).table))
  mkdirSync(join(DOCS, 'img'), { recursive: true })
  for (const [name, svg] of diagrams) {
    writeFileSync(join(DOCS, 'img', name), svg)
  }
}

function thinned(histories: readonly History[]): readonly History[] {
  const every = Math.ceil(histories.length / QUICK_AGENTS)
  return histories.filter((_, i) => i % every === 0)
}

type Said = ReadonlyMap<Predictor, ReadonlyMap<Length, readonly Prediction[]>>

function predictAll(plan: SetPlan, histories: readonly History[]): Said {
  return new Map(MODELS.map((model) => [model, predict(model, plan, histories)]))
}

function rowsOf(plan: SetPlan, said: Said): readonly Row[] {
  return lengthsOf(plan).flatMap((n) =>
    [...said].map(([{ name }, predictions]) => {
      return { set: plan.name, n, model: name, ...qualityOf(predictions.get(n) ?? []) }
    }),
  )
}

function diagramOf(plan: SetPlan, said: Said): string {
  const length = lengthsOf(plan).at(-1) ?? 'mixed'
  const series = DRAWN.map(({ model, label, colour }) => {
    const [, predictions] = [...said].find(([{ name }]) => name === model) ?? []
    return { label, colour, bins: binsOf(predictions?.get(length) ?? []) }
  })
  return reliabilityDiagram(`${plan.name}, ${length} events known`, series)
}

function tablesOf(rows: readonly Row[]): readonly Titled[] {
  return [
    {
      title: 'AUC: how often a good event is distinguished from a bad one',
      table: tableOf(rows, 'auc'),
    },
    {
      title: "Spearman: rank correlation with the agents' later rates",
      table: tableOf(rows, 'spearman'),
    },
    { title: 'Brier score (less is better)', table: tableOf(rows, 'brier', 4) },
    { title: 'Expected calibration error (less is better)', table: tableOf(rows, 'ece') },
  ]
}

/** A line for each set and length, a column for each model. */
function tableOf(rows: readonly Row[], measure: keyof Quality, digits = 3): Table {
  return {
    head: ['set', 'n', ...MODELS.map(({ label }) => label)],
    rows: SETS.flatMap((plan) =>
      lengthsOf(plan).map((n) => [
        plan.name,
        String(n),
        ...MODELS.map(({ name }) => {
          const row = rows.find((row) => row.set === plan.name && row.n === n && row.model === name)
          return figure(row?.[measure], digits)
        }),
      ]),
    ),
  }
}

function sectionOf({ title, table }: Titled): string {
  return `**${title}**\n\n${markdown(table)}`
}

function print({ say }: Results, tables: readonly Titled[]): void {
  for (const { title, table } of tables) {
    say(`${title}\n\n${plain(table)}\n\n`)
  }
}

run()
