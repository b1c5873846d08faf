import { el, picture } from './svg.ts'
import { type ShownTier, shownStatus, shownTier } from './tier.ts'
import { ENGLISH, type ScoreValues, scoreSentence } from './words.ts'

export type BadgeStyle = 'flat' | 'flat-square'

export interface BadgeOptions {
  readonly label?: string
  readonly style?: BadgeStyle
}

/**
 * Colours of a badge, which stands on pages that are not ours: white text has a contrast of 4.5 on
 * each, and each has contrast with a white and with a black page.
 */
export const TIER_COLOURS: Readonly<Record<ShownTier, string>> = {
  excellent: '#0a7a55',
  good: '#3f7a26',
  fair: '#866400',
  poor: '#a8500c',
  untrusted: '#b8322f',
  unknown: '#68737a',
}

const LABEL_COLOUR = '#2f3a40'
const HEIGHT = 20
const PADDING = 6
/** The mean width of a letter at 11 px; `textLength` then makes it exactly so in every font. */
const LETTER = 6.3
const MARK_WIDTH = 14

interface Shown {
  readonly value: string
  readonly sentence: string
  readonly colour: string
  /** Little data, which looks provisional without any colour, too. */
  readonly isProvisional: boolean
}

function shownOf(values: ScoreValues | null): Shown {
  const provisional = { value: 'not enough data', colour: TIER_COLOURS.unknown }
  if (values === null) {
    return { ...provisional, sentence: provisional.value, isProvisional: true }
  }
  const sentence = scoreSentence(values, ENGLISH)
  const status = shownStatus(values)
  if (status !== null) {
    const colour = status === 'suspended' ? TIER_COLOURS.untrusted : TIER_COLOURS.unknown
    return { value: status, sentence: `${status}, ${sentence}`, colour, isProvisional: false }
  }
  const tier = shownTier(values)
  return tier === 'unknown'
    ? { ...provisional, sentence, isProvisional: true }
    : {
        value: `${values.score} ${tier}`,
        sentence,
        colour: TIER_COLOURS[tier],
        isProvisional: false,
      }
}

/** `standing | 712 good`: one line of 20 px. */
export function drawBadge(values: ScoreValues | null, options: BadgeOptions = {}): string {
  const label = options.label ?? 'standing'
  const { value, sentence, colour, isProvisional } = shownOf(values)
  const left = Math.ceil(MARK_WIDTH + label.length * LETTER + 2 * PADDING + 2)
  const right = Math.ceil(value.length * LETTER + 2 * PADDING)
  const width = left + right
  const rx = options.style === 'flat-square' ? 0 : 3
  return picture(
    { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` },
    `${label}: ${sentence}`,
    el('title', {}, `${label}: ${sentence}`.replaceAll(/[&<>]/g, '')),
    el('rect', { width, height: HEIGHT, rx, fill: LABEL_COLOUR }),
    el('path', { d: rightHalf(left, right, rx), fill: colour }),
    isProvisional ? dashes(left, right) : '',
    el('path', { d: markAt(PADDING, 4), fill: '#fff' }),
    el(
      'g',
      { fill: '#fff', 'font-family': 'Verdana,DejaVu Sans,sans-serif', 'font-size': 11 },
      line(label, MARK_WIDTH + PADDING + 2),
      line(value, left + PADDING),
    ),
  )
}

function line(text: string, x: number): string {
  const textLength = Math.round(text.length * LETTER)
  return el('text', { x, y: 14, textLength }, text.replaceAll(/[&<>]/g, ''))
}

function rightHalf(x: number, width: number, r: number): string {
  const inner = width - r
  return `M${x} 0h${inner}q${r} 0 ${r} ${r}v${HEIGHT - 2 * r}q0 ${r} ${-r} ${r}h${-inner}z`
}

function dashes(x: number, width: number): string {
  const place = { x: x + 1.5, y: 1.5, width: width - 3, height: HEIGHT - 3 }
  return el('rect', { ...place, fill: 'none', stroke: '#fff', 'stroke-dasharray': '3 2' })
}

function markAt(x: number, y: number): string {
  return `M${x} ${y + 10}h6V${y}h3v10h3v2h-12z`
}
