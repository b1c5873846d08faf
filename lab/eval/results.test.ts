import { expect, test } from 'vitest'
import { argsWithJson } from './results.ts'

test('--json alone writes to the standard output, --json FILE to the file', () => {
  expect(argsWithJson(['--json'])).toEqual(['--json=-'])
  expect(argsWithJson(['--json', '--quick'])).toEqual(['--json=-', '--quick'])
  expect(argsWithJson(['--data', 'd', '--json'])).toEqual(['--data', 'd', '--json=-'])
  expect(argsWithJson(['--json', 'rows.json', '--quick'])).toEqual([
    '--json',
    'rows.json',
    '--quick',
  ])
  expect(argsWithJson(['--json=rows.json'])).toEqual(['--json=rows.json'])
})
