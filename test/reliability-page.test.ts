import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FAULTS } from '../lab/torture/faults/faults.ts'

const lines = readFileSync(join(import.meta.dirname, '../docs/reliability.md'), 'utf8').split('\n')
const cells = (line: string) => line.split('|').map((cell) => cell.trim())

test('docs/reliability.md names for every fault where it is tested, and tests that exist', () => {
  const rows = lines.map(cells).filter(([, name]) => /^F\d+$/.test(name ?? ''))
  expect(rows.map(([, name]) => name)).toEqual(Array.from({ length: 19 }, (_, i) => `F${i + 1}`))
  for (const [, name, , tried = ''] of rows) {
    expect(tried, name).not.toBe('')
    for (const [, file] of tried.matchAll(/`([a-z]+(?:\/[a-z-]+)*)`/g)) {
      expect(existsSync(join(import.meta.dirname, `${file}.test.ts`)), file).toBe(true)
    }
  }
})

test('docs/reliability.md has every injected fault, and nothing was lost, doubled or mismatched', () => {
  const first = lines.indexOf('<!-- torture -->') + 3
  const rows = lines.slice(first, lines.indexOf('<!-- /torture -->')).map(cells)
  expect(rows.map(([, name]) => name)).toEqual(FAULTS.map(({ name }) => name))
  for (const [, name, , , acknowledged, lost, doubled, mismatched] of rows) {
    expect(Number(acknowledged?.replace(',', '')), name).toBeGreaterThan(0)
    expect([lost, doubled, mismatched], name).toEqual(['0', '0', '0'])
  }
})
