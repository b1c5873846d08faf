/** Letters and figures as lines of one width, which need no font to be drawn. */

type Point = readonly [x: number, y: number]
/** Points that are joined by lines; one point alone is a dot. */
export type Stroke = readonly Point[]

interface Glyph {
  readonly width: number
  readonly strokes: readonly Stroke[]
}

/** Points for a whole turn; a stroke of the largest figure is then as smooth as a curve. */
const POINTS_PER_TURN = 64

/** Part of an ellipse, in degrees: 0 is right, 90 down. It runs backwards where `from` is above `to`. */
function arc(cx: number, cy: number, rx: number, ry: number, from: number, to: number): Stroke {
  const count = Math.ceil((Math.abs(to - from) / 360) * POINTS_PER_TURN)
  return Array.from({ length: count + 1 }, (_, i): Point => {
    const angle = ((from + ((to - from) * i) / count) / 180) * Math.PI
    return [cx + rx * Math.cos(angle), cy + ry * Math.sin(angle)]
  })
}

function line(...numbers: readonly number[]): Stroke {
  return numbers.flatMap((x, i): readonly Point[] =>
    i % 2 === 0 ? [[x, numbers[i + 1] ?? 0]] : [],
  )
}

function glyph(width: number, ...strokes: readonly Stroke[]): Glyph {
  return { width, strokes }
}

const BOWL = arc(2, 4, 2, 2, 0, 360)
const SHOULDER = arc(2, 4, 2, 2, 180, 360)

/** On a grid of 6 from the base line (6) to the top of figures (0); small letters begin at 2. */
const GLYPHS: Readonly<Record<string, Glyph>> = {
  ' ': glyph(1.4),
  '0': glyph(4, arc(2, 3, 2, 3, 0, 360)),
  '1': glyph(2.4, line(0.4, 1.3, 2, 0, 2, 6)),
  '2': glyph(4, [...arc(2, 1.9, 1.9, 1.9, 190, 390), [0.1, 6], [4, 6]]),
  '3': glyph(4, arc(1.9, 1.5, 1.7, 1.5, 210, 450), arc(1.9, 4.5, 2, 1.5, 270, 510)),
  '4': glyph(4.2, line(3.1, 6, 3.1, 0, 0, 4.3, 4.2, 4.3)),
  '5': glyph(4, [[3.7, 0], [0.7, 0], ...arc(1.9, 4, 2, 2, 221, 505)]),
  '6': glyph(4, arc(2, 4.1, 2, 1.9, 0, 360), arc(3.4, 4.1, 3.4, 4.1, 180, 255)),
  '7': glyph(4, line(0, 0, 4, 0, 1.4, 6)),
  '8': glyph(4, arc(2, 1.5, 1.7, 1.5, 0, 360), arc(2, 4.5, 2, 1.5, 0, 360)),
  '9': glyph(4, arc(2, 1.9, 2, 1.9, 0, 360), arc(0.6, 1.9, 3.4, 4.1, 0, 75)),
  S: glyph(4, arc(2, 1.5, 1.9, 1.5, 325, 90), arc(2, 4.5, 2, 1.5, 270, 510)),
  a: glyph(4, BOWL, line(4, 2, 4, 6)),
  c: glyph(3.4, arc(2, 4, 2, 2, 45, 315)),
  d: glyph(4, BOWL, line(4, 0, 4, 6)),
  e: glyph(4, [[0, 4], ...arc(2, 4, 2, 2, 360, 45)]),
  f: glyph(2.6, [...arc(2.6, 1.5, 1.4, 1.5, 280, 180), [1.2, 6]], line(0, 2.3, 2.5, 2.3)),
  g: glyph(4, BOWL, [[4, 2], ...arc(2, 6.1, 2, 1.8, 0, 150)]),
  h: glyph(4, line(0, 0, 0, 6), [...SHOULDER, [4, 6]]),
  i: glyph(0, line(0, 2, 0, 6), line(0, 0.4)),
  l: glyph(0, line(0, 0, 0, 6)),
  n: glyph(4, line(0, 2, 0, 6), [...SHOULDER, [4, 6]]),
  o: glyph(4, BOWL),
  p: glyph(4, BOWL, line(0, 2, 0, 8)),
  r: glyph(2.8, line(0, 2, 0, 6), arc(2, 4, 2, 2, 180, 295)),
  s: glyph(3.3, arc(1.7, 3, 1.5, 1, 330, 90), arc(1.7, 5, 1.6, 1, 270, 510)),
  t: glyph(2.6, [[1.2, 0.7], ...arc(2.5, 4.7, 1.3, 1.3, 180, 75)], line(0, 2.2, 2.5, 2.2)),
  u: glyph(4, [[0, 2], ...arc(2, 4, 2, 2, 180, 0)], line(4, 2, 4, 6)),
  x: glyph(3.8, line(0, 2, 3.8, 6), line(3.8, 2, 0, 6)),
  y: glyph(4, line(0, 2, 2, 6), line(4, 2, 1.2, 8)),
}

/** Between two glyphs, on the same grid. */
const GAP = 1.7

/** The strokes of a text on a line whose figures are `height` pixels high; letters unknown are left out. */
export function textStrokes(text: string, x: number, top: number, height: number) {
  const scale = height / 6
  let at = 0
  const strokes: Stroke[] = []
  for (const letter of text) {
    const found = GLYPHS[letter]
    if (!found) {
      continue
    }
    for (const stroke of found.strokes) {
      strokes.push(stroke.map(([px, py]): Point => [x + (at + px) * scale, top + py * scale]))
    }
    at += found.width + GAP
  }
  return { strokes, width: (at - GAP) * scale }
}
