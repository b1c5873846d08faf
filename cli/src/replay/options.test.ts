import { describe, expect, it as test } from 'vitest'
import { externalIdOf } from './deliver.ts'
import { parseOptions } from './options.ts'

const NOW = new Date('2026-06-15T11:00:00.000Z')
const KEY = `avo_${'x'.repeat(32)}`
const parse = (...args: string[]) => parseOptions(args, { STANDING_OPERATOR_KEY: KEY }, NOW)

describe('the options', () => {
  test('have defaults for everything but the file', () => {
    expect(parse('data/some stream.jsonl.gz')).toMatchObject({
      url: 'http://127.0.0.1:8080',
      operatorKey: KEY,
      platformsMax: 8,
      history: Number.POSITIVE_INFINITY,
      future: 100,
      patienceMs: 30_000,
      run: 'some-stream-20260615T110000',
    })
  })

  test('say what to do where the operator key is missing', () => {
    expect(() => parseOptions(['f'], {}, NOW)).toThrow(/export STANDING_OPERATOR_KEY=avo_/)
    expect(parseOptions(['f', '--operator-key', 'avo_y'], {}, NOW).operatorKey).toBe('avo_y')
  })

  test.each([
    [[], /Give one file/],
    [['a', 'b'], /Give one file/],
    [['a', '--histroy', '5'], /Unknown option '--histroy'/],
    [['a', '--history', '0'], /--history 0 is not a whole number of at least 1/],
    [['a', '--events', '1e3'], /--events 1e3 is not/],
    [['a', '--url', 'localhost:8080'], /--url localhost:8080 is not an http address/],
    [['a', '--run', 'a:b'], /--run is/],
  ])('%j are refused', (args, message) => {
    expect(() => parse(...args)).toThrow(message)
  })
})

describe('the name of an event', () => {
  test('is run, agent and index, and never longer than the service takes', () => {
    expect(externalIdOf('r', 'a b', 7)).toBe('r:a b:7')
    const long = externalIdOf('r'.repeat(48), 'x'.repeat(90), 123_456_789)
    expect(long.length).toBeLessThanOrEqual(100)
    expect(long).not.toBe(externalIdOf('r'.repeat(48), 'y'.repeat(90), 123_456_789))
  })
})
