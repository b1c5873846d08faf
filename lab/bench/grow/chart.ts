/** A line of a chart: what it is of, and its values, one for each place on the x axis. */
export interface Line {
  readonly name: string
  readonly values: readonly number[]
}

const WIDTH = 720
const HEIGHT = 320
const EDGE = 48
const COLOURS = ['#2563eb', '#d97706', '#059669']

/** The values of each line in parts of its first one: a flat line stays at 1. */
export function chartOf(title: string, xs: readonly number[], lines: readonly Line[]): string {
  const xMax = Math.max(...xs)
  const x = (value: number) => EDGE + ((WIDTH - 2 * EDGE) * value) / xMax
  const y = (share: number) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * Math.min(share, 1.5)) / 1.5
  const grid = [0, 0.5, 0.9, 1, 1.5].map(
    (share) =>
      `<line x1="${EDGE}" x2="${WIDTH - EDGE}" y1="${y(share)}" y2="${y(share)}" stroke="#ccc"/>` +
      `<text x="8" y="${y(share) + 4}">${share}</text>`,
  )
  const drawn = lines.map(({ name, values }, i) => {
    const colour = COLOURS[i % COLOURS.length]
    const points = values.map((value, k) => `${x(xs[k] ?? 0)},${y(value / (values[0] || 1))}`)
    return (
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.join(' ')}"/>` +
      `<text x="${EDGE + i * 200}" y="${HEIGHT - 10}" fill="${colour}">${name}</text>`
    )
  })
  const million = `${(xMax / 1_000_000).toLocaleString('en-GB')} million events`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${EDGE}" y="20">${title}</text>
<text x="${WIDTH - 150}" y="${HEIGHT - 28}">${million}</text>
${[...grid, ...drawn].join('\n')}
</svg>
`
}
