import { el, percent, picture, round } from './svg.ts'

/** One thing that brought or took points. */
export interface Part {
  readonly label: string
  readonly points: number
}

/** A part with where it begins and ends on the scale. */
export interface Step extends Part {
  readonly kind: 'start' | 'part' | 'total'
  readonly from: number
  readonly to: number
}

/** From the start, part after part, to the score. The parts sum to it, or this throws. */
export function waterfall(start: Part, parts: readonly Part[], total: Part): readonly Step[] {
  let level = start.points
  const steps = parts.map((part): Step => {
    const from = level
    level += part.points
    return { ...part, kind: 'part', from, to: level }
  })
  if (level !== total.points) {
    throw new RangeError(`the contributions sum to ${level}, the score is ${total.points}`)
  }
  return [
    { ...start, kind: 'start', from: 0, to: start.points },
    ...steps,
    { ...total, kind: 'total', from: 0, to: total.points },
  ]
}

/** What is shown of the scale: all of it that any step reaches, with some room. */
export function waterfallRange(steps: readonly Step[]): {
  readonly min: number
  readonly max: number
} {
  const levels = steps.flatMap(({ from, to }) => [from, to])
  const max = Math.max(...levels, 1)
  return { min: Math.min(0, ...levels), max: round(max * 1.02) }
}

const HEIGHT = 20

/** One row of the waterfall: a bar from where the part begins to where it ends. */
export function drawStep(
  step: Step,
  range: { readonly min: number; readonly max: number },
): string {
  const at = (level: number) => (level - range.min) / (range.max - range.min)
  const left = at(Math.min(step.from, step.to))
  const right = at(Math.max(step.from, step.to))
  const name = step.kind === 'part' ? (step.points < 0 ? 'step-down' : 'step-up') : 'step-whole'
  const end = at(step.to)
  return picture(
    { class: `step ${name}`, width: '100%', height: HEIGHT },
    null,
    el('rect', {
      class: 'step-bar',
      x: percent(left),
      y: 4,
      width: percent(right - left),
      height: 12,
    }),
    el('line', { class: 'step-end', x1: percent(end), x2: percent(end), y1: 0, y2: HEIGHT }),
  )
}
