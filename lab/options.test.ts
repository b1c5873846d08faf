import { expect, test } from 'vitest'
import { optionsIn } from './options.ts'

const DEFAULTS = { json: null, quick: false, rounds: 3, data: 'd' } as const

test('an option that is not given has its default', () => {
  expect(optionsIn(DEFAULTS, [])).toEqual({ json: null, quick: false, rounds: 3, data: 'd' })
  expect(optionsIn(DEFAULTS, ['--quick', '--rounds', '5', '--data=e'])).toEqual({
    json: null,
    quick: true,
    rounds: 5,
    data: 'e',
  })
})

test('--json alone writes to the standard output, --json FILE to the file', () => {
  const json = (...args: string[]) => optionsIn(DEFAULTS, args).json
  expect(json('--json')).toBe('-')
  expect(json('--json', '--quick')).toBe('-')
  expect(json('--data', 'd', '--json')).toBe('-')
  expect(json('--json', 'rows.json', '--quick')).toBe('rows.json')
  expect(json('--json=rows.json')).toBe('rows.json')
})

test.each([
  [['--fast'], 'There is no option --fast.'],
  [['--round', '2'], 'There is no option --round. Did you mean --rounds?'],
  [['--rounds', 'many'], '--rounds takes a whole number.'],
  [['--rounds'], '--rounds needs a value: --rounds N'],
  [['now'], 'There is no argument now.'],
])('%j is refused', (args, problem) => {
  expect(() => optionsIn(DEFAULTS, args)).toThrow(problem)
})
