import { expect, test } from 'vitest'
import { parseArguments } from './arguments.ts'
import { UsageError } from './user-error.ts'

const OPTIONS = [
  { name: 'port', value: 'PORT' },
  { name: 'host', value: 'HOST' },
  { name: 'all' },
] as const

const parse = (line: string) => parseArguments(line.split(' ').filter(Boolean), OPTIONS)

test('options, flags and words are read in any order', () => {
  expect(parse('first --port 8080 --all second --host=::1')).toEqual({
    words: ['first', 'second'],
    options: { port: '8080', host: '::1' },
    flags: new Set(['all']),
  })
  expect(parse('')).toEqual({ words: [], options: {}, flags: new Set() })
})

test('the last value of a repeated option counts', () => {
  expect(parse('--port 1 --port=2').options).toEqual({ port: '2' })
})

test('an empty value and a value that begins with a dash can be given with an equals sign', () => {
  expect(parse('--host= --port=-1').options).toEqual({ host: '', port: '-1' })
})

test('everything after two dashes is a word', () => {
  expect(parse('--all -- --port x').words).toEqual(['--port', 'x'])
})

test('a key thumbprint that begins with a dash is a word, and a value', () => {
  const kid = '-FqyMy8gB6q0rDJ2bVq1F8Z5VmE2mBqoCQpUbnGaY4E'
  expect(parse(`${kid} --all`)).toEqual({ words: [kid], options: {}, flags: new Set(['all']) })
  expect(parse(`--host ${kid}`).options).toEqual({ host: kid })
})

test.each([
  ['--prot 1', 'There is no option --prot. Did you mean --port?'],
  ['-p 1', 'There is no option -p.'],
  ['--any', 'There is no option --any.'],
  ['--port', '--port needs a value: --port PORT'],
  ['--port --all', '--port needs a value; one that begins with a dash as --port=--all'],
  ['--all=yes', '--all takes no value.'],
])('%s is refused with a sentence that names the option', (line, message) => {
  expect(() => parse(line)).toThrow(new UsageError(message))
})
