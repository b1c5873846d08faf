import { el, picture } from './svg.ts'

/** A level bar that rests on a base line, where a good score stands on the scale. */
const MARK_PATH = 'M0 12h8V2h4v10h4v2H0z'

export function drawMark(size = 16): string {
  const frame = { class: 'mark', viewBox: '0 0 16 16', width: size, height: size }
  return picture(frame, null, el('path', { d: MARK_PATH, fill: 'currentColor' }))
}
