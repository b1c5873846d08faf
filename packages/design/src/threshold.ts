import { el, percent, picture } from './svg.ts'

const HEIGHT = 14

/** A figure as a bar, against the line it should not reach. */
export function drawThreshold(value: number, limit: number, words: string | null): string {
  const most = Math.max(value, limit) * 1.1 || 1
  const name = value >= limit ? 'measure measure-over' : 'measure'
  return picture(
    { class: name, width: '100%', height: HEIGHT },
    words,
    el('rect', { class: 'measure-bar', x: 0, y: 4, width: percent(value / most), height: 7 }),
    el('line', {
      class: 'measure-limit',
      x1: percent(limit / most),
      x2: percent(limit / most),
      y1: 0,
      y2: HEIGHT,
    }),
  )
}
