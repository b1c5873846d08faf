import { describe, expect, test } from 'vitest'
import { parseArguments } from '../../../src/lib/arguments.ts'
import { REPLAY_OPTIONS } from '../table/replay.ts'
import { replayOptions } from './options.ts'
import { externalIdOf } from './report.ts'

const NOW = new Date('2026-06-15T11:00:00.000Z')
const KEY = `avo_${'x'.repeat(32)}`
const ENV = { STANDING_OPERATOR_KEY: KEY }

function parse(args: readonly string[], env: Readonly<Record<string, string>> = ENV) {
  const terminal = { env, say: () => {}, stderr: { write: () => {} } }
  const { words, options } = parseArguments(args, REPLAY_OPTIONS)
  return replayOptions(words[0] ?? '', terminal, options, NOW)
}

describe('the options', () => {
  test('have a default for everything except the file', () => {
    expect(parse(['data/some stream.jsonl.gz'])).toMatchObject({
      url: 'http://127.0.0.1:8080',
      operatorKey: KEY,
      platformsMax: 8,
      history: Number.POSITIVE_INFINITY,
      future: 100,
      patienceMs: 30_000,
      run: 'some-stream-20260615T110000',
    })
  })

  test('explain where to get an operator key when it is missing', () => {
    expect(() => parse(['f'], {})).toThrow(/export STANDING_OPERATOR_KEY=avo_/)
    expect(parse(['f', '--operator-key', 'avo_y'], {}).operatorKey).toBe('avo_y')
  })

  test.each([
    [['a', '--histroy', '5'], /no option --histroy/],
    [['a', '--history', '0'], /--history must be a whole number of at least 1, not 0/],
    [['a', '--events', '1e3'], /--events must be a whole number/],
    [['a', '--url', 'localhost:8080'], /--url localhost:8080 is not an http or https address/],
    [['a', '--run', 'a:b'], /--run must be/],
  ])('%j are refused', (args, message) => {
    expect(() => parse(args)).toThrow(message)
  })
})

describe('the external id of an event', () => {
  test('consists of run, agent and index, and never exceeds the service’s maximum length', () => {
    expect(externalIdOf('r', 'a b', 7)).toBe('r:a b:7')
    const long = externalIdOf('r'.repeat(48), 'x'.repeat(90), 123_456_789)
    expect(long.length).toBeLessThanOrEqual(100)
    expect(long).not.toBe(externalIdOf('r'.repeat(48), 'y'.repeat(90), 123_456_789))
  })
})
