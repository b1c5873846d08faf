import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { rulesPage } from './page.ts'

test('docs/fraud-rules.md is generated from the rules (npm run docs:rules)', async () => {
  expect(await readFile('docs/fraud-rules.md', 'utf8')).toBe(rulesPage())
})
