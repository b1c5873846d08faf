import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../docs/security.md'), 'utf8')
const rows = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => /^\d+\.\d+\.\d+/.test(cells[1] ?? ''))

test('docs/security.md has one row for every requirement of ASVS 5.0, levels 1 and 2', () => {
  const file = join(import.meta.dirname, 'vectors/public/asvs-5.0-levels-1-and-2.json')
  const wanted = JSON.parse(readFileSync(file, 'utf8')) as string[]
  const named = rows.flatMap(([, ids = '']) => ids.split(', '))
  expect(named.toSorted()).toEqual(wanted.toSorted())
})

test('each row says whether the requirement is met and how, and names tests that exist', () => {
  for (const [, ids, met, how, tests = ''] of rows) {
    expect(['yes', 'set up', 'no', '–'], ids).toContain(met)
    expect(how, ids).not.toBe('')
    for (const [, name] of tests.matchAll(/`([\w/-]+)`/g)) {
      expect(existsSync(join(import.meta.dirname, `${name}.test.ts`)), name).toBe(true)
    }
  }
})
