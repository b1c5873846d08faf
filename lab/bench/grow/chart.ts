/** A line of a chart: what it is of, and its ratios, one for each place on the x axis. */
export interface Line {
  readonly name: string
  readonly values: readonly number[]
}

const WIDTH = 720
const HEIGHT = 340
const LEFT = 52
const RIGHT = 700
const TOP = 44
const BOTTOM = 270
/** What is above is drawn at the upper edge. */
const SHARE_MAX = 1.5
const SHARES = [0, 0.25, 0.5, 0.75, 1, 1.25, SHARE_MAX]
const MILLION = 1_000_000
const COLOURS = ['#2563eb', '#b3541e', '#047857']

/** Ratios by the number of events: a flat line stays at 1. */
export function chartOf(title: string, events: readonly number[], lines: readonly Line[]): string {
  const eventsMax = Math.max(...events, 1)
  const x = (count: number) => (LEFT + ((RIGHT - LEFT) * count) / eventsMax).toFixed(1)
  const y = (share: number) =>
    (BOTTOM - ((BOTTOM - TOP) * Math.min(share, SHARE_MAX)) / SHARE_MAX).toFixed(1)
  const step = MILLION * Math.max(1, Math.ceil(eventsMax / (12 * MILLION)))
  const counts = Array.from({ length: Math.floor(eventsMax / step) + 1 }, (_, i) => i * step)
  const drawn = lines.map(({ name, values }, i) => {
    const colour = COLOURS[i % COLOURS.length]
    const places = values.map((value, k) => [x(events[k] ?? 0), y(value)])
    return [
      `<polyline fill="none" stroke="${colour}" stroke-width="1.5" points="${places.join(' ')}"/>`,
      ...places.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="2.5" fill="${colour}"/>`),
      `<circle cx="${LEFT + 6 + i * 200}" cy="326" r="4" fill="${colour}"/>`,
      `<text x="${LEFT + 16 + i * 200}" y="330">${name}</text>`,
    ].join('\n')
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="11" fill="#333">
<title>${title}</title>
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${LEFT}" y="24" font-size="13" font-weight="bold">${title}</text>
${SHARES.map((share) => `<path d="M${LEFT} ${y(share)}H${RIGHT}" stroke="${share === 1 ? '#888' : '#e4e4e4'}"/><text x="46" y="${Number(y(share)) + 4}" text-anchor="end">${share}</text>`).join('\n')}
${counts.map((count) => `<text x="${x(count)}" y="286" text-anchor="middle">${count / MILLION}</text>`).join('\n')}
<text x="${(LEFT + RIGHT) / 2}" y="304" text-anchor="middle">million events</text>
${drawn.join('\n')}
</svg>
`
}
