import { describe, expect, test } from 'vitest'
import { drawBadge } from './badge.ts'
import { drawLevel, drawScale } from './scale.ts'
import { drawSparkline } from './sparkline.ts'
import { drawStrip, stripDays } from './strip.ts'
import { drawTier, shownTier, TIERS } from './tier.ts'
import { drawStep, waterfall, waterfallRange } from './waterfall.ts'
import { type ScoreValues, scoreSentence } from './words.ts'

const GOOD: ScoreValues = {
  score: 712,
  classification: 'good',
  confidence: 'medium',
  eventCount: 212,
  interval: { low: 660, high: 750 },
}
const NEWCOMER: ScoreValues = {
  score: 105,
  classification: 'untrusted',
  confidence: 'low',
  eventCount: 12,
  interval: { low: 60, high: 310 },
}

const DISPUTED = { isDisputed: true, platformsFor: 3, platformsAgainst: 1 }

/** The attributes of the first element with this class. */
function part(markup: string, name: string): Record<string, string> {
  const tag = new RegExp(`<\\w+ class="${name}"[^>]*>`).exec(markup)?.[0]
  if (!tag) {
    throw new Error(`nothing of class ${name} in ${markup}`)
  }
  return Object.fromEntries([...tag.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, k, v]) => [k, v]))
}

describe('the tier that is shown', () => {
  test('is missing for a newcomer, however low its score', () => {
    expect(shownTier(NEWCOMER)).toBe('unknown')
    expect(shownTier({ ...NEWCOMER, score: 100 })).toBe('unknown')
  })

  test('appears despite few events when the agent fell below the initial score', () => {
    expect(shownTier({ ...NEWCOMER, score: 99 })).toBe('untrusted')
  })

  test('is the tier of the score from fifty events on', () => {
    expect(shownTier({ ...NEWCOMER, confidence: 'medium' })).toBe('untrusted')
    expect(shownTier(GOOD)).toBe('good')
  })

  test('covers 0 to 1000 without gap or overlap', () => {
    expect(TIERS[0]?.min).toBe(0)
    expect(TIERS.at(-1)?.max).toBe(1000)
    TIERS.slice(1).forEach(({ min }, i) => {
      expect(min).toBe((TIERS[i]?.max ?? 0) + 1)
    })
  })

  test('has a shape of its own', () => {
    const names = [...TIERS.map(({ tier }) => tier), 'unknown'] as const
    const shapes = names.map((tier) => drawTier(tier).replace(tier, ''))
    expect(new Set(shapes).size).toBe(names.length)
  })
})

describe('the text of a score', () => {
  test('names score, tier, interval and confidence', () => {
    expect(scoreSentence(GOOD)).toBe('712 of 1000, good, between 660 and 750, medium confidence')
  })

  test('names how many events are missing where little is known', () => {
    expect(scoreSentence(NEWCOMER)).toBe(
      '105 of 1000, not enough data yet: 12 of 50 events, between 60 and 310',
    )
  })

  test('names the platforms that dispute it', () => {
    expect(scoreSentence({ ...GOOD, disputed: DISPUTED })).toMatch(
      /disputed, 3 platforms for and 1 against$/,
    )
  })
})

describe.each(['page', 'list', 'badge'] as const)('the scale for a %s', (size) => {
  test('places the bar at the score and the band over the interval', () => {
    const svg = drawScale(GOOD, size)
    expect(part(svg, 'scale-bar').x).toBe('71.2%')
    expect(part(svg, 'scale-band')).toMatchObject({ x: '66%', width: '9%' })
  })

  test('describes in words what it shows', () => {
    expect(drawScale(GOOD, size)).toContain(`role="img" aria-label="${scoreSentence(GOOD)}"`)
  })

  test('is dashed grey for a newcomer, without any warning', () => {
    const svg = drawScale(NEWCOMER, size)
    expect(svg).toContain('scale-band-unknown')
    expect(svg).toContain('tier-unknown')
    expect(svg).not.toContain('tier-untrusted')
  })

  test('hatches the interval of a disputed score', () => {
    const svg = drawScale({ ...GOOD, disputed: DISPUTED }, size)
    expect(part(svg, 'scale-disputed')).toMatchObject({ x1: '66%', x2: '75%' })
    expect(svg).not.toContain('class="scale-band"')
  })

  test('has no style attribute and no script, so that a strict policy allows it', () => {
    expect(drawScale({ ...GOOD, disputed: DISPUTED }, size)).not.toMatch(/style=|<script|<style/)
  })
})

test('a level without reports is grey, however low its value', () => {
  const svg = drawLevel(75, 'unknown', 'nothing reported')
  expect(part(svg, 'scale-bar').x).toBe('7.5%')
  expect(svg).toContain('tier-unknown')
  expect(svg).not.toContain('tier-untrusted')
})

test('the page’s scale has its ticks at the boundaries of the tiers', () => {
  const svg = drawScale(GOOD)
  for (const border of [0, 300, 500, 650, 800, 1000]) {
    expect(svg).toContain(`class="scale-label" x="${border / 10}%"`)
  }
})

test('bounds of the interval that would overlap the score are left out', () => {
  const near = drawScale({ ...GOOD, interval: { low: 700, high: 850 } })
  expect(near).not.toContain('>700<')
  expect(near).toContain('>850<')
})

describe('the sparkline', () => {
  const day = 86_400_000
  test('keeps a score until the next change', () => {
    const svg = drawSparkline(
      [
        { at: 0, score: 600 },
        { at: day, score: 660 },
        { at: 2 * day, score: 630 },
      ],
      'words',
    )
    expect(part(svg, 'spark-line').d).toBe('M3 17H48V3H93V10')
  })

  test('draws one point, and no points, without an error', () => {
    expect(drawSparkline([{ at: 5, score: 100 }], null)).toContain('cx="93"')
    expect(drawSparkline([], null)).toContain('aria-hidden')
  })
})

describe('the strip of days', () => {
  const now = Date.parse('2026-06-15T12:00:00Z')
  const good = (day: string) => ({ day, count: 1, impact: 'positive' as const })
  const bad = (day: string) => ({ day, count: 1, impact: 'negative' as const })

  test('counts what was good and bad on each day', () => {
    const neutral = { day: '2026-06-14', count: 1, impact: 'neutral' as const }
    const events = [good('2026-06-15'), bad('2026-06-15'), good('2026-06-13'), neutral]
    const days = stripDays(events, { now, days: 3, knownSince: Date.parse('2026-06-14T00:00:00Z') })
    expect(days).toEqual([
      { day: '2026-06-13', good: 1, bad: 0, isKnown: false },
      { day: '2026-06-14', good: 0, bad: 0, isKnown: true },
      { day: '2026-06-15', good: 1, bad: 1, isKnown: true },
    ])
  })

  test('distinguishes failures by position as well as by colour', () => {
    const days = stripDays([bad('2026-06-15')], { now, days: 2, knownSince: 0 })
    const svg = drawStrip(days, { whole: 'Two days', day: ({ day }) => day })
    expect(svg.match(/strip-bad/g)).toHaveLength(1)
    expect(svg).toContain('tier-untrusted')
    expect(svg).toContain('<title>2026-06-15</title>')
  })
})

describe('the waterfall', () => {
  const start = { label: 'start', points: 100 }

  test('goes from the initial score through each part to the final score', () => {
    const parts = [
      { label: 'tasks', points: 86 },
      { label: 'failures', points: -74 },
    ]
    const steps = waterfall(start, parts, { label: 'score', points: 112 })
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      [0, 100],
      [100, 186],
      [186, 112],
      [0, 112],
    ])
    expect(waterfallRange(steps)).toEqual({ min: 0, max: 189.72 })
  })

  test('refuses parts that do not sum to the score', () => {
    expect(() => waterfall(start, [], { label: 'score', points: 101 })).toThrow(/sum to 100/)
  })

  test('draws losses differently from gains', () => {
    const [, up, down] = waterfall(
      start,
      [
        { label: 'a', points: 10 },
        { label: 'b', points: -20 },
      ],
      { label: 'score', points: 90 },
    )
    const range = { min: 0, max: 200 }
    expect(up && drawStep(up, range)).toContain('step-up')
    expect(down && drawStep(down, range)).toContain('step-down')
  })
})

describe('the badge', () => {
  test('shows the score and the tier, with the whole sentence for screen readers', () => {
    const svg = drawBadge(GOOD)
    expect(svg).toContain('>712 good<')
    expect(svg).toContain(`aria-label="standing: ${scoreSentence(GOOD)}"`)
  })

  test('is grey and dashed where little is known, and for an unknown agent', () => {
    for (const svg of [drawBadge(NEWCOMER), drawBadge(null)]) {
      expect(svg).toContain('not enough data')
      expect(svg).toContain('stroke-dasharray')
      expect(svg).toContain('#68737a')
    }
  })

  test('has the same width in every font, and at most 1.5 kB', () => {
    const svg = drawBadge({ ...GOOD, disputed: DISPUTED }, { label: 'our trust score' })
    expect(svg.match(/textLength/g)).toHaveLength(2)
    expect(new TextEncoder().encode(svg).length).toBeLessThanOrEqual(1_536)
  })

  test('escapes markup in its label', () => {
    expect(drawBadge(GOOD, { label: '<script>' })).not.toContain('<script')
  })
})
