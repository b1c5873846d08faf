import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isWellFormed, newKey } from './key-format.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/operating.md'), 'utf8')

/** The rule that the page gives to scanners of leaked keys. */
const rule = new RegExp(/^regex = '''(.+)'''$/m.exec(PAGE)?.[1] ?? '', 'g')

test('the rule for scanners finds keys of every kind in a text, and no longer or shorter ones', () => {
  const live = (['agent', 'owner', 'platform', 'operator'] as const).map((kind) => newKey(kind))
  const keys = [...live, newKey('agent', 'test'), newKey('platform', 'test')]
  expect(keys.every(isWellFormed)).toBe(true)
  const text = keys.map((key, i) => `export KEY${i}="${key}"`).join('\n')
  expect(text.match(rule)).toEqual(keys)
  expect(keys.flatMap((key) => [key.slice(0, -1), `${key}0`]).join(' ')).not.toMatch(rule)
})
