/** Whether trust in one class of work predicts the work of that class better than the whole record. */

import { auc, type Prediction } from '../../../cli/src/replay/predictions.ts'
import { assess } from '../../../src/domain/assess.ts'
import { classScoreAt } from '../../../src/domain/class-score.ts'
import { type CountedEvent, foldEvents } from '../../../src/domain/evidence.ts'
import { type Evidence, newEvidence } from '../../../src/domain/evidence-state.ts'
import { forecastFrom } from '../../../src/domain/forecast.ts'
import { MODEL } from '../../../src/domain/model.ts'
import { groupBy } from '../../../src/lib/group-by.ts'
import { figure, type Titled } from '../../report.ts'
import { type Line, readLines } from '../lines.ts'
import { isGood } from '../models.ts'
import { brier } from './measures.ts'

/** How tasks are sorted into classes. */
interface Sorting {
  readonly label: string
  readonly classOf: (line: TaskLine) => string
}

export interface TaskLine extends Line {
  readonly task: string
}

const SORTINGS: readonly Sorting[] = [
  { label: 'repository', classOf: ({ task }) => task.replace(/-\d+$/, '') },
  { label: 'level of difficulty', classOf: ({ data }) => String(data.difficulty) },
]

/** SWE-bench's tasks, each with its name and its level of difficulty. */
export function readTasks(folder: string): readonly TaskLine[] {
  return readLines(folder, 'swe-bench-tasks').filter((line): line is TaskLine => 'task' in line)
}

/** Tasks known when the later ones are predicted. */
const LENGTHS = [50, 150, 300, 400] as const

interface Views {
  readonly whole: readonly Prediction[]
  readonly inClass: readonly Prediction[]
}

export interface ClassRow {
  readonly classes: string
  readonly n: number
  /** AUC of good against bad later tasks; and the same within one class. */
  readonly aucWhole: number
  readonly aucClass: number
  readonly withinWhole: number
  readonly withinClass: number
  /** Of the forecast; the less, the better. */
  readonly brierWhole: number
  readonly brierClass: number
}

/** The later tasks of every agent, class by class, by what is known of it by then. */
export function classRows(lines: readonly TaskLine[]): readonly ClassRow[] {
  const agents = [...groupBy(lines, ({ agent }) => agent).values()]
  return SORTINGS.flatMap(({ label, classOf }) =>
    LENGTHS.map((n) => rowOf(agents, { label, classOf }, n)),
  )
}

function rowOf(
  agents: readonly (readonly TaskLine[])[],
  { label, classOf }: Sorting,
  n: number,
): ClassRow {
  const scores = new Map<string, { whole: Prediction[]; inClass: Prediction[] }>()
  const forecasts = { whole: [] as Prediction[], inClass: [] as Prediction[] }
  for (const lines of agents) {
    const evidence = evidenceOf(lines.slice(0, n), classOf)
    for (const [name, later] of groupBy(lines.slice(n), classOf)) {
      const good = later.filter((line) => isGood(eventOf(line, classOf))).length
      const outcome = { good, bad: later.length - good }
      const said = sayingsOf(evidence, name)
      const ofClass = scores.get(name) ?? { whole: [], inClass: [] }
      scores.set(name, ofClass)
      ofClass.whole.push({ value: said.score, ...outcome })
      ofClass.inClass.push({ value: said.classScore, ...outcome })
      forecasts.whole.push({ value: said.forecast, ...outcome })
      forecasts.inClass.push({ value: said.classForecast, ...outcome })
    }
  }
  const views = [...scores.values()]
  return {
    classes: label,
    n,
    aucWhole: auc(views.flatMap(({ whole }) => whole)) ?? Number.NaN,
    aucClass: auc(views.flatMap(({ inClass }) => inClass)) ?? Number.NaN,
    withinWhole: within(views, ({ whole }) => whole),
    withinClass: within(views, ({ inClass }) => inClass),
    brierWhole: brier(forecasts.whole),
    brierClass: brier(forecasts.inClass),
  }
}

/** The mean AUC of the classes, each by its pairs of a good and a bad task. */
function within(views: readonly Views[], of: (views: Views) => readonly Prediction[]): number {
  let [won, pairs] = [0, 0]
  for (const view of views) {
    const predictions = of(view)
    const good = predictions.reduce((sum, one) => sum + one.good, 0)
    const bad = predictions.reduce((sum, one) => sum + one.bad, 0)
    won += good * bad * (auc(predictions) ?? 0)
    pairs += good * bad
  }
  return won / pairs
}

function sayingsOf(evidence: Evidence, name: string) {
  const { at } = evidence
  const { score: points, forecast } = classScoreAt(MODEL, evidence, name, at)
  const whole = forecastFrom(MODEL, evidence).task
  return {
    score: assess(MODEL, evidence, at).whole,
    classScore: points,
    forecast: whole?.probability ?? 0.5,
    classForecast: forecast?.probability ?? 0.5,
  }
}

function evidenceOf(lines: readonly TaskLine[], classOf: Sorting['classOf']): Evidence {
  const [first] = lines
  const events = lines.map((line) => eventOf(line, classOf))
  return foldEvents(MODEL, newEvidence(MODEL, 1000 * (first?.t ?? 0)), events)
}

function eventOf(line: TaskLine, classOf: Sorting['classOf']): CountedEvent {
  const { type, platform, t } = line
  return { type, data: { taskClass: classOf(line) }, reporter: platform, self: false, at: t * 1000 }
}

export function classTable(rows: readonly ClassRow[]): Titled {
  const pair = (whole: number, inClass: number, digits = 3) =>
    `${figure(whole, digits)} → ${figure(inClass, digits)}`
  return {
    title: 'Trust in one class of work: later tasks by the whole record → by the class',
    table: {
      head: ['classes', 'tasks known', 'AUC', 'AUC within a class', 'Brier score of the forecast'],
      rows: rows.map((row) => [
        row.classes,
        String(row.n),
        pair(row.aucWhole, row.aucClass),
        pair(row.withinWhole, row.withinClass),
        pair(row.brierWhole, row.brierClass, 4),
      ]),
    },
  }
}
