import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { describe } from '../src/api/describe.ts'

const run = promisify(execFile)

test('openapi.json is what the routes say', async () => {
  const committed = JSON.parse(await readFile('openapi.json', 'utf8'))
  const described = JSON.parse(JSON.stringify(describe()))
  expect(committed, 'write it anew: npm run openapi').toEqual(described)
})

test('no example is left to a placeholder', () => {
  expect([...placeholders(describe())]).toEqual([])
})

/** Where an example says no more than what type it is. */
function* placeholders(value: unknown, path = '', isExample = false): Generator<string> {
  if (isExample && value === 'string') {
    yield path
  }
  if (typeof value !== 'object' || value === null) {
    return
  }
  for (const [key, one] of Object.entries(value)) {
    yield* placeholders(one, `${path}/${key}`, isExample || key.startsWith('example'))
  }
}

test('openapi.json is valid by the schema of OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate('openapi.json')
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
})

test('openapi.json is clean by the strict rules of another linter, its examples included', async () => {
  const args = ['lint', 'openapi.json', '--format=json']
  const { stdout } = await run('node_modules/.bin/redocly', args)
  expect(JSON.parse(stdout).problems).toEqual([])
})
