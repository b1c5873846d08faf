import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory } from '../../test/support/once.ts'
import { isJsonObject, readJsonObject } from './json-object.ts'

const EXAMPLE = '{ "minScore": 650 }'
const dir = await newDirectory('json-')

async function fileWith(text: string): Promise<string> {
  const path = join(dir, 'policy.json')
  await writeFile(path, text)
  return path
}

test('a file with one JSON object is read', async () => {
  expect(await readJsonObject(await fileWith(EXAMPLE), EXAMPLE)).toEqual({ minScore: 650 })
})

test.each([
  ['{ "minScore": ', /policy\.json is not JSON: in line 1, column 15, it must have a value /],
  [
    '{\n  "minScore": 650,\n}',
    /in line 3, column 1, it must have a name in double quotes\. Correct/,
  ],
  ['[650]', /policy\.json must hold one JSON object: \{ "minScore": 650 \}/],
  ['null', /must hold one JSON object/],
])('a file with %s is refused by its name', async (text, problem) => {
  await expect(readJsonObject(await fileWith(text), EXAMPLE)).rejects.toThrow(problem)
})

test('the refusal of a file does not repeat what is in it', async () => {
  const file = await fileWith('{ "password": hunter2 }')
  const refusal = await readJsonObject(file, EXAMPLE).catch((error: Error) => error.message)
  expect(refusal).toMatch(
    /in line 1, column 15, it must have a value \(text is in double quotes\)\./,
  )
  expect(refusal).not.toContain('hunter2')
})

test('a file that does not exist is named in the error', async () => {
  await expect(readJsonObject('/nowhere.json', EXAMPLE)).rejects.toThrow(
    '/nowhere.json cannot be read: there is no such file.',
  )
})

test('lists, texts and null are not JSON objects', () => {
  expect([{}, { a: 1 }].every(isJsonObject)).toBe(true)
  expect([[], '{}', 5, null, undefined].some(isJsonObject)).toBe(false)
})
