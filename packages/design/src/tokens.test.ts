import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contrast } from './oklch.ts'

const CSS = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

type Theme = 'light' | 'dark'
const THEMES: readonly Theme[] = ['light', 'dark']

/** The colour that a token has in a theme, through the tokens it names. */
function colour(name: string, theme: Theme): string {
  const declared = new RegExp(`--${name}:\\s*([^;]+);`).exec(CSS)?.[1]
  if (!declared) {
    throw new Error(`there is no token --${name}`)
  }
  const alias = /^var\(--([\w-]+)\)$/.exec(declared)?.[1]
  if (alias) {
    return colour(alias, theme)
  }
  const pair = /^light-dark\((oklch\([^)]+\)), (oklch\([^)]+\))\)$/.exec(declared)
  const found = theme === 'light' ? pair?.[1] : pair?.[2]
  if (!found) {
    throw new Error(`--${name} is no colour: ${declared}`)
  }
  return found
}

const TIERS = ['excellent', 'good', 'fair', 'poor', 'untrusted', 'unknown']
const SURFACES = ['page', 'raised', 'hover']

/** Text may stand on every surface; what is coloured may also stand on its own soft ground. */
const TEXT = [
  'text',
  'n8',
  'quiet',
  'accent',
  'warn',
  'bad',
  'fine',
  ...TIERS.map((t) => `tier-${t}`),
]
const ON_SOFT = [
  ['warn', 'warn-soft'],
  ['text', 'warn-soft'],
  ['bad', 'bad-soft'],
  ['text', 'bad-soft'],
  ['fine', 'fine-soft'],
  ['accent', 'accent-soft'],
  ['text', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
] as const

describe.each(THEMES)('in the %s theme', (theme) => {
  const ratio = (front: string, back: string) => contrast(colour(front, theme), colour(back, theme))

  test.each(TEXT)('%s is readable on every surface (4.5)', (name) => {
    for (const surface of SURFACES) {
      expect(ratio(name, surface), surface).toBeGreaterThanOrEqual(4.5)
    }
  })

  test.each(ON_SOFT)('%s is readable on %s (4.5)', (front, back) => {
    expect(ratio(front, back)).toBeGreaterThanOrEqual(4.5)
  })

  test('marks and the borders of fields are visible on every surface (3)', () => {
    for (const name of ['mark', 'edge', 'accent']) {
      for (const surface of ['page', 'raised']) {
        expect(ratio(name, surface), `${name} on ${surface}`).toBeGreaterThanOrEqual(3)
      }
    }
  })

  test('neutrals get steadily darker or lighter from the page to the text', () => {
    const steps = Array.from({ length: 10 }, (_, i) => ratio(`n${i}`, 'n0'))
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
  })
})

test('contrast has the known values at its extremes', () => {
  expect(contrast('oklch(100% 0 0)', 'oklch(0% 0 0)')).toBeCloseTo(21, 1)
  expect(contrast('oklch(50% 0.1 200)', 'oklch(50% 0.1 200)')).toBe(1)
})
