/** What is predicted of each set of histories: after how many events, and how much of what came then. */

import type { Prediction } from '../../../cli/src/replay/predictions.ts'
import { REPORTER_WEIGHTS } from '../../../src/fraud/establishment.ts'
import { isGood, type Predictor } from '../models.ts'
import type { History } from './streams.ts'

export interface SetPlan {
  readonly name: string
  readonly file: string
  /** Events known when the prediction is made. */
  readonly lengths: readonly number[]
  /** Later events that it is compared with; 0 where the stream has the outcome of each agent. */
  readonly horizon: number
  /** How established its reporters are; 1 by default. */
  readonly reporterWeight?: number
}

export const SETS: readonly SetPlan[] = [
  { name: 'swe-bench', file: 'swe-bench-verified', lengths: [5, 20, 50, 400], horizon: 100 },
  // Every trader rates others: none of them is an established platform.
  {
    name: 'bitcoin-otc',
    file: 'bitcoin-otc',
    lengths: [5, 20, 50],
    horizon: 10,
    reporterWeight: REPORTER_WEIGHTS.other,
  },
  { name: 'uci-default', file: 'uci-credit-default', lengths: [3, 6], horizon: 0 },
  { name: 'upptime', file: 'upptime-sites', lengths: [5, 20, 50], horizon: 7 },
]

/** How many events were known: a number; `mixed`, all of those together; `50+`, from fifty on, again
 *  and again a horizon later, so that few agents still make many predictions. */
export type Length = number | 'mixed' | '50+'

const ROLLING_FROM = 50

/** A place in a history at which is predicted. */
interface Point {
  readonly known: number
  readonly length: Length
  readonly good: number
  readonly bad: number
}

/** What a model says of a set, by length. */
export function predict(
  model: Predictor,
  plan: SetPlan,
  histories: readonly History[],
): ReadonlyMap<Length, readonly Prediction[]> {
  const said = new Map<Length, Prediction[]>(lengthsOf(plan).map((length) => [length, []]))
  for (const history of histories) {
    follow(model, withWeight(plan, history), pointsOf(plan, history), said)
  }
  return said
}

function withWeight({ reporterWeight = 1 }: SetPlan, { events, ...rest }: History): History {
  return { ...rest, events: events.map((event) => ({ ...event, reporterWeight })) }
}

export function lengthsOf({ lengths, horizon }: SetPlan): readonly Length[] {
  return horizon > 0 ? [...lengths, 'mixed', '50+'] : lengths
}

function follow(
  model: Predictor,
  { events }: History,
  points: readonly Point[],
  said: ReadonlyMap<Length, Prediction[]>,
): void {
  const [first] = events
  if (!first || points.length === 0) {
    return
  }
  const judge = model.start(first.at)
  let known = 0
  for (const { length, good, bad, known: upTo } of points) {
    for (; known < upTo; known++) {
      judge.add(events[known] ?? first)
    }
    const at = events[known]?.at ?? events.at(-1)?.at ?? first.at
    const prediction = { value: judge.value(at), good, bad }
    said.get(length)?.push(prediction)
    if (typeof length === 'number') {
      said.get('mixed')?.push(prediction)
    }
  }
}

/** In the order of the history. */
function pointsOf(plan: SetPlan, history: History): readonly Point[] {
  const { lengths, horizon } = plan
  const { events, outcome } = history
  if (horizon === 0) {
    if (outcome === null) {
      return []
    }
    const end = { good: outcome ? 1 : 0, bad: outcome ? 0 : 1 }
    return lengths.map((length) => ({ known: Math.min(length, events.length), length, ...end }))
  }
  const after = (known: number, length: Length): Point => {
    const later = events.slice(known, known + horizon)
    const good = later.filter(isGood).length
    return { known, length, good, bad: later.length - good }
  }
  const points = lengths.map((length) => after(length, length))
  for (let known = ROLLING_FROM; known < events.length; known += horizon) {
    points.push(after(known, '50+'))
  }
  return points.filter(({ good, bad }) => good + bad > 0).sort((a, b) => a.known - b.known)
}
