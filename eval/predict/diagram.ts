/** Reliability diagrams: what was said against what was seen. */
import type { Bin } from './measures.ts'

export interface Series {
  readonly label: string
  readonly colour: string
  readonly bins: readonly Bin[]
}

const SIZE = 220
const LEFT = 40
const TOP = 28
const BELOW = 44

/** Largest radius of a dot, that of all events in one bin. */
const DOT = 14

/** An SVG of a square whose diagonal is perfect; the larger a dot, the more events it stands for. */
export function reliabilityDiagram(title: string, series: readonly Series[]): string {
  const [width, height] = [LEFT + SIZE + 16, TOP + SIZE + BELOW]
  const ticks = [0, 0.25, 0.5, 0.75, 1]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">`,
    `<title>${title}: said against seen</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="16" font-weight="bold">${title}</text>`,
    `<rect x="${LEFT}" y="${TOP}" width="${SIZE}" height="${SIZE}" fill="none" stroke="#999"/>`,
    `<path d="M${LEFT} ${TOP + SIZE}L${LEFT + SIZE} ${TOP}" stroke="#bbb" stroke-dasharray="4 4"/>`,
    ...ticks.flatMap((tick) => [
      `<text x="${x(tick)}" y="${TOP + SIZE + 14}" text-anchor="middle">${tick}</text>`,
      `<text x="${LEFT - 5}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
    ]),
    ...series.flatMap(dots),
    ...series.map(
      ({ label, colour }, i) =>
        `<text x="${LEFT + 110 * i}" y="${height - 8}" fill="${colour}">● ${label}</text>`,
    ),
    '</svg>',
    '',
  ].join('\n')
}

function dots({ colour, bins }: Series): readonly string[] {
  const all = bins.reduce((sum, { count }) => sum + count, 0)
  return bins
    .filter(({ count }) => count > 0)
    .map(({ said, seen, count }) => {
      const radius = Math.max(1.5, DOT * Math.sqrt(count / all)).toFixed(1)
      return `<circle cx="${x(said)}" cy="${y(seen)}" r="${radius}" fill="${colour}" fill-opacity="0.45" stroke="${colour}"/>`
    })
}

function x(part: number): string {
  return (LEFT + SIZE * part).toFixed(1)
}

function y(part: number): number {
  return Math.round(10 * (TOP + SIZE * (1 - part))) / 10
}
