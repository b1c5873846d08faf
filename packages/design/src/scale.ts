import { clamp, el, percent, picture, round } from './svg.ts'
import { SCORE_MAX, type ShownTier, shownTier, TIERS } from './tier.ts'
import { ENGLISH, type ScoreValues, type ScoreWords, scoreSentence } from './words.ts'

export type ScaleSize = 'page' | 'list' | 'badge'

/** Where things stand, in pixels from the top. Widths are shares of the place. */
interface Frame {
  readonly width: number | null
  readonly height: number
  /** The line that everything rests on. */
  readonly base: number
  readonly bandHeight: number
  readonly bar: { readonly width: number; readonly height: number }
  readonly tick: number
  readonly hasFigures: boolean
}

const FRAMES: Readonly<Record<ScaleSize, Frame>> = {
  page: {
    width: null,
    height: 76,
    base: 42,
    bandHeight: 12,
    bar: { width: 5, height: 22 },
    tick: 6,
    hasFigures: true,
  },
  list: {
    width: 120,
    height: 16,
    base: 11.5,
    bandHeight: 6,
    bar: { width: 3, height: 10 },
    tick: 3,
    hasFigures: false,
  },
  badge: {
    width: 64,
    height: 12,
    base: 9.5,
    bandHeight: 5,
    bar: { width: 3, height: 8 },
    tick: 0,
    hasFigures: false,
  },
}

/** A scale of 0 to 1000: the interval as a band, the score as a bar that stands on the base line. */
export function drawScale(
  values: ScoreValues,
  size: ScaleSize = 'page',
  words: ScoreWords = ENGLISH,
): string {
  const frame = FRAMES[size]
  const tier = shownTier(values)
  return picture(
    {
      class: `scale scale-${size} tier-${tier}`,
      width: frame.width ?? '100%',
      height: frame.height,
    },
    scoreSentence(values, words),
    base(frame),
    frame.hasFigures ? reach(frame, tier) : '',
    ticks(frame),
    band(frame, values, tier),
    bar(frame, values.score),
    frame.hasFigures ? figures(frame, values, words) : '',
  )
}

/** A figure on the same scale that has no interval of its own, such as a dimension's. */
export function drawLevel(score: number, tier: ShownTier, words: string): string {
  const frame = FRAMES.list
  return picture(
    { class: `scale scale-list tier-${tier}`, width: frame.width, height: frame.height },
    words,
    base(frame),
    ticks(frame),
    bar(frame, score),
  )
}

/** Its share of the whole scale. */
function at(score: number): number {
  return clamp(score, 0, SCORE_MAX) / SCORE_MAX
}

function base({ base: y }: Frame): string {
  return line('scale-base', 0, 1, y)
}

/** The part of the base line that is the tier's own. */
function reach({ base: y }: Frame, tier: ShownTier): string {
  const range = TIERS.find((one) => one.tier === tier)
  return range ? line('scale-reach', at(range.min), at(range.max), y) : ''
}

function ticks({ base: y, tick }: Frame): string {
  if (tick === 0) {
    return ''
  }
  return [...TIERS.map(({ min }) => min), SCORE_MAX]
    .map((score) => upright('scale-tick', at(score), y, y + tick))
    .join('')
}

/** Where the score may as well be: dashed where little is known, hatched where it is disputed. */
function band(frame: Frame, values: ScoreValues, tier: ShownTier): string {
  const { base: y, bandHeight: height } = frame
  const low = at(values.interval.low)
  const high = at(values.interval.high)
  const top = round(y - height)
  const ends = upright('scale-end', low, top, y) + upright('scale-end', high, top, y)
  if (values.disputed?.isDisputed) {
    return hatch('scale-disputed', low, high, y - height / 2, height) + ends
  }
  const name = tier === 'unknown' ? 'scale-band scale-band-unknown' : 'scale-band'
  const area = { class: name, x: percent(low), y: top, width: percent(high - low), height }
  return el('rect', area) + ends
}

function bar({ base: y, bar: { width, height } }: Frame, score: number): string {
  const shape = { x: percent(at(score)), y: y - height, width, height }
  return el('rect', { class: 'scale-bar', ...shape, transform: `translate(${-width / 2})` })
}

/** With this distance three figures fit next to each other on the narrowest screen. */
const FIGURES_APART = 0.095

function figures(frame: Frame, values: ScoreValues, words: ScoreWords): string {
  const { low, high } = values.interval
  const isApart = (score: number) => Math.abs(at(score) - at(values.score)) > FIGURES_APART
  const above = round(frame.base - frame.bar.height - 5)
  const below = frame.base + frame.tick + 13
  const ends = [low, high].filter(isApart)
  return [
    text('scale-figure', values.score, String(values.score), above),
    ...ends.map((score) => text('scale-limit', score, String(score), above)),
    ...[...TIERS.map(({ min }) => min), SCORE_MAX].map((score) =>
      text('scale-label', score, String(score), below),
    ),
    ...TIERS.map(({ tier, min, max }) => {
      const place = { x: percent((min + max) / 2 / SCORE_MAX), y: below + 14 }
      return el(
        'text',
        { class: 'scale-tier', ...place, 'text-anchor': 'middle' },
        words.tiers[tier],
      )
    }),
  ].join('')
}

function text(name: string, score: number, figure: string, y: number): string {
  const share = at(score)
  const anchor = share < 0.03 ? 'start' : share > 0.97 ? 'end' : 'middle'
  return el('text', { class: name, x: percent(share), y, 'text-anchor': anchor }, figure)
}

function line(name: string, from: number, to: number, y: number): string {
  return el('line', { class: name, x1: percent(from), x2: percent(to), y1: y, y2: y })
}

function upright(name: string, share: number, y1: number, y2: number): string {
  return el('line', { class: name, x1: percent(share), x2: percent(share), y1, y2 })
}

/** A thick dashed line is a hatched band that needs no pattern with an id. */
function hatch(name: string, from: number, to: number, y: number, height: number): string {
  const place = { x1: percent(from), x2: percent(to), y1: round(y), y2: round(y) }
  return el('line', { class: name, ...place, 'stroke-width': height, 'stroke-dasharray': '1.5 3' })
}
