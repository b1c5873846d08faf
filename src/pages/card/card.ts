import { TIER_COLOURS } from '@standing/design/badge.ts'
import { SCORE_MAX, type ShownTier, shownStatus, shownTier, TIERS } from '@standing/design/tier.ts'
import { ENGLISH, type ScoreValues } from '@standing/design/words.ts'
import { type Canvas, type Colour, colourOf, createCanvas } from './canvas.ts'
import { encodePng } from './png.ts'
import { type Stroke, textStrokes } from './strokes.ts'

/** The size that sites ask for which show a picture with a link. */
const WIDTH = 1200
const HEIGHT = 630

const MARGIN = 90

/** The line that the score and its tier stand on. */
const SCORE_BASE = 355
const SCORE_HEIGHT = 150
const WORD_HEIGHT = 62

const PAGE = colourOf('#fafcfc')
const TEXT = colourOf('#12262c')
const ACCENT = colourOf('#0b5563')
const LINE = colourOf('#b9c4c7')

/** The picture that other sites show of a link to a profile. They show the agent's name next to it. */
export function drawCard(score: ScoreValues): Promise<Uint8Array> {
  const canvas = createCanvas(WIDTH, HEIGHT, PAGE)
  const tier = shownTier(score)
  const colour = colourOf(TIER_COLOURS[tier])
  brand(canvas)
  const end = text(canvas, String(score.score), {
    x: MARGIN,
    top: SCORE_BASE - SCORE_HEIGHT,
    height: SCORE_HEIGHT,
    colour: tier === 'unknown' ? colour : TEXT,
  })
  const status = shownStatus(score)
  if (status === null) {
    wordAt(canvas, { tier, words: ENGLISH.tiers[tier] }, end + 70, colour)
  } else {
    const warning = colourOf(TIER_COLOURS.untrusted)
    wordAt(canvas, { tier: 'untrusted', words: status }, end + 70, warning)
  }
  scale(canvas, score, colour)
  return encodePng(canvas.pixels, WIDTH)
}

interface Word {
  /** Whose sign it has. */
  readonly tier: ShownTier
  readonly words: string
}

/** The tier or the status on the line of the score: its sign, and its word as large as there is room for it. */
function wordAt(canvas: Canvas, { tier, words }: Word, left: number, colour: Colour): void {
  const x = left + 70
  const { width } = textStrokes(words, 0, 0, WORD_HEIGHT)
  const height = Math.min(1, (WIDTH - MARGIN - x) / width) * WORD_HEIGHT
  sign(canvas, tier, { x: left + 20, y: SCORE_BASE - height / 3, radius: 20, colour })
  text(canvas, words, { x, top: SCORE_BASE - height, height, colour })
}

interface Place {
  readonly x: number
  readonly top: number
  readonly height: number
  readonly colour: Colour
}

/** A line of text; where it ends. */
function text(canvas: Canvas, words: string, { x, top, height, colour }: Place): number {
  const { strokes, width } = textStrokes(words, x, top, height)
  canvas.strokes(strokes, height / 8, colour)
  return x + width
}

/** The mark, which is a level bar on a base line, and the name. */
function brand(canvas: Canvas): void {
  const [left, base] = [MARGIN, 122]
  canvas.rectangle({ left, top: base, right: left + 56, bottom: base + 7 }, ACCENT)
  canvas.rectangle({ left: left + 28, top: base - 36, right: left + 42, bottom: base }, ACCENT)
  text(canvas, 'Standing', { x: left + 82, top: base - 34, height: 41, colour: ACCENT })
}

interface Sign {
  readonly x: number
  readonly y: number
  readonly radius: number
  readonly colour: Colour
}

/** The sign of a tier, readable without its colour (as design/tier draws it). */
function sign(canvas: Canvas, tier: ShownTier, { x, y, radius, colour }: Sign): void {
  const isRing = tier === 'good' || tier === 'fair'
  if (isRing || tier === 'excellent') {
    canvas.disc({ x, y, radius }, colour)
  }
  if (isRing) {
    canvas.disc({ x, y, radius: radius - SIGN_THICKNESS }, PAGE)
  }
  if (tier === 'good') {
    canvas.disc({ x, y, radius }, colour, 'left')
  }
  const strokes = (SIGN_STROKES[tier] ?? []).map((stroke) =>
    stroke.map(([dx, dy]) => [x + dx * radius, y + dy * radius] as const),
  )
  canvas.strokes(strokes, SIGN_THICKNESS, colour)
}

const SIGN_THICKNESS = 7

/** Signs of lines, from -1 to 1 around their middle. */
const SIGN_STROKES: Readonly<Partial<Record<ShownTier, readonly Stroke[]>>> = {
  poor: [
    [
      [-1, -0.8],
      [1, -0.8],
      [0, 0.8],
      [-1, -0.8],
    ],
  ],
  untrusted: [
    [
      [-1, -1],
      [1, 1],
    ],
    [
      [1, -1],
      [-1, 1],
    ],
  ],
  unknown: [-1, 0, 1].map((x) => [
    [x * 1.1 - 0.2, 0],
    [x * 1.1 + 0.2, 0],
  ]),
}

/** The scale of 0 to 1000: the interval as a band, the score as a bar that stands on the base line. */
function scale(canvas: Canvas, { score, interval }: ScoreValues, colour: Colour): void {
  const base = 500
  const at = (value: number) => MARGIN + (value / SCORE_MAX) * (WIDTH - 2 * MARGIN)
  const band = { left: at(interval.low), right: at(interval.high), top: base - 34, bottom: base }
  canvas.rectangle(band, colour, 0.2)
  canvas.rectangle({ left: MARGIN, right: WIDTH - MARGIN, top: base, bottom: base + 4 }, LINE)
  for (const tick of [...TIERS.map(({ min }) => min), SCORE_MAX]) {
    canvas.rectangle(
      { left: at(tick) - 2, right: at(tick) + 2, top: base, bottom: base + 18 },
      LINE,
    )
    const { width } = textStrokes(String(tick), 0, 0, 20)
    text(canvas, String(tick), {
      x: at(tick) - width / 2,
      top: base + 34,
      height: 20,
      colour: colourOf('#5a6a70'),
    })
  }
  canvas.rectangle(
    { left: at(score) - 7, right: at(score) + 7, top: base - 62, bottom: base },
    colour,
  )
}
