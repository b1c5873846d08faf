import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { describe } from '../src/describe.ts'

test('openapi.json is what the routes say', async () => {
  const committed = JSON.parse(await readFile('openapi.json', 'utf8'))
  expect(committed, 'write it anew: npm run openapi').toEqual(
    JSON.parse(JSON.stringify(describe())),
  )
})
