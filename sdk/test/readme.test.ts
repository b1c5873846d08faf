import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Standing } from '../src/index.ts'

test('the README names every method of every group', async () => {
  const text = await readFile('sdk/README.md', 'utf8')
  const groups = Object.entries(new Standing({ baseUrl: 'http://127.0.0.1' }))
  expect(groups).toHaveLength(7)
  const missing = groups.flatMap(([group, methods]) => {
    const from = text.indexOf(`| \`${group}\` | as`)
    const table = text.slice(from, text.indexOf('\n\n', from))
    const names = Object.keys(methods).filter((name) => !table.includes(`\`${name}(`))
    return names.map((name) => `${group}.${name}`)
  })
  expect(missing).toEqual([])
})
