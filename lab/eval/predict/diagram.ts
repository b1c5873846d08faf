/** Reliability diagrams: predicted against observed shares of good events. */
import type { Bin } from './measures.ts'

export interface Series {
  readonly label: string
  readonly colour: string
  readonly bins: readonly Bin[]
}

const SIZE = 240
const LEFT = 52
const TOP = 30
const BELOW = 62
const RIGHT = 16

/** Radius of a dot that stands for all events, and of the least. */
const DOT = 7
const DOT_MIN = 1.8

/** Of a rate counted in a sample, 90 % lie within this many standard errors. */
const DEVIATIONS = 1.645

const TICKS = [0, 0.25, 0.5, 0.75, 1]

/**
 * An SVG of a square whose diagonal is perfect. The larger a dot, the more events it stands for; the
 * bar through it is how far chance alone may have moved it, nine times in ten.
 */
export function reliabilityDiagram(title: string, series: readonly Series[]): string {
  const [width, height] = [LEFT + SIZE + RIGHT, TOP + SIZE + BELOW]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11" fill="#333">`,
    `<title>${title}: predicted against observed shares of good events</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="18" font-size="12" font-weight="bold">${title}</text>`,
    ...TICKS.flatMap(grid),
    `<path d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}" stroke="#888" stroke-dasharray="4 4"/>`,
    `<text x="${x(0.5)}" y="${TOP + SIZE + 31}" text-anchor="middle">predicted probability of a good event</text>`,
    `<text transform="translate(13 ${y(0.5)}) rotate(-90)" text-anchor="middle">observed share of good events</text>`,
    ...series.flatMap(dots),
    ...series.map(legend),
    '</svg>',
    '',
  ].join('\n')
}

function grid(tick: number): readonly string[] {
  const colour = tick === 0 || tick === 1 ? '#999' : '#e4e4e4'
  return [
    `<path d="M${x(tick)} ${y(0)}V${y(1)}M${x(0)} ${y(tick)}H${x(1)}" stroke="${colour}"/>`,
    `<text x="${x(tick)}" y="${TOP + SIZE + 15}" text-anchor="middle">${tick}</text>`,
    `<text x="${LEFT - 6}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
  ]
}

function legend({ label, colour }: Series, i: number): string {
  const [left, top] = [LEFT + (SIZE / 2) * i, TOP + SIZE + 50]
  return `<circle cx="${left + 5}" cy="${top - 4}" r="5" fill="${colour}"/><text x="${left + 15}" y="${top}">${label}</text>`
}

function dots({ colour, bins }: Series): readonly string[] {
  const all = bins.reduce((sum, { count }) => sum + count, 0)
  return bins
    .filter(({ count }) => count > 0)
    .map(({ predicted, observed, count }) => {
      const radius = Math.max(DOT_MIN, DOT * Math.sqrt(count / all)).toFixed(1)
      const margin = byChance(predicted, count)
      const bar = `<path d="M${x(predicted)} ${y(Math.max(0, observed - margin))}V${y(Math.min(1, observed + margin))}" stroke="${colour}" stroke-opacity="0.6"/>`
      return `${bar}<circle cx="${x(predicted)}" cy="${y(observed)}" r="${radius}" fill="${colour}" fill-opacity="0.55" stroke="${colour}"/>`
    })
}

/** How far from a rate its count on this many events comes out by chance. */
function byChance(rate: number, count: number): number {
  return DEVIATIONS * Math.sqrt((rate * (1 - rate)) / count)
}

function x(part: number): string {
  return (LEFT + SIZE * part).toFixed(1)
}

function y(part: number): number {
  return Math.round(10 * (TOP + SIZE * (1 - part))) / 10
}
