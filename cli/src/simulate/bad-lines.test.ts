import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { simulate } from './run.ts'
import { DEFAULT_SETTINGS } from './settings.ts'
import { answersTo, answerTo, at, errorOf, run } from './testing/run.ts'

const event = { at: at(0), agent: 'a1', by: 'p1', type: 'task.completed' }

const WRONG: readonly (readonly [string, string | object, string])[] = [
  ['no JSON', '{"at":', 'it is not JSON. Write one JSON object a line, not {"at":'],
  ['a list', '[1]', 'it is no JSON object: [1]'],
  ['nothing known', { hello: 1 }, 'it is not a line of a simulation.'],
  ['no time', { ...event, at: undefined }, 'at is missing: the time of the line'],
  ['a time in seconds', { ...event, at: 1767225600 }, 'not 1767225600.'],
  ['a time without a zone', { ...event, at: '2026-01-01T00:00:00' }, 'must be an RFC 3339 time'],
  ['a day that does not exist', { ...event, at: '2026-02-30T00:00:00Z' }, 'an RFC 3339 time'],
  ['a time before 1970', { ...event, at: '1969-12-31T00:00:00Z' }, 'not be before 1970'],
  ['no type', { ...event, type: undefined }, 'type is missing: one of task.completed, '],
  ['an unknown type', { ...event, type: 'task.done' }, 'type must be one of task.completed, '],
  ['no reporter', { ...event, by: undefined }, 'by is missing.'],
  ['an empty name', { ...event, agent: '' }, 'agent must be a text of 1 to 200 characters'],
  ['a NUL', { ...event, agent: 'a\u0000' }, 'agent: contains a NUL character.'],
  ['half a character', { ...event, data: { errorCode: '\ud83d' } }, 'contains a lone surrogate.'],
  ['data of another type', { ...event, data: { amount: 5 } }, 'data.amount is not a field'],
  ['a misspelt field', { ...event, data: { duratoin: 5 } }, 'data.duratoin is not a field'],
  ['a negative figure', { ...event, data: { duration: -5 } }, 'data.duration must be at least 0'],
  ['data that is a list', { ...event, data: [] }, 'data must be an object, not a list'],
  ['an unreadable occurredAt', { ...event, occurredAt: 'today' }, 'occurredAt must be an RFC'],
  ['a long externalId', { ...event, externalId: 'x'.repeat(101) }, 'externalId must have at most'],
  ['two kinds in one', { ...event, ask: 'a1' }, 'an event line has no ask; it has type, at, '],
  ['a platform called self', { platform: 'self' }, 'a platform cannot be called self'],
  ['an owner that is no text', { platform: 'p1', owner: 7 }, 'owner must be a text'],
  ['verified as text', { platform: 'p1', verified: 'yes' }, 'verified must be true or false'],
  ['a self-issued credential', { at: at(0), issue: 'a1', by: 'self', type: 'K' }, '"by":"owner"'],
]

test.each(WRONG)('a line with %s ends the simulation with its number', async (_, line, problem) => {
  const message = await errorOf([{ agent: 'a0' }, '', line])
  expect(message).toContain('standard input, line 3: ')
  expect(message).toContain(problem)
})

test('every problem of a line is named at once', async () => {
  const bad = { agent: '', by: 7, type: 'task.done', data: { duratoin: 5 }, verified: true }
  const message = await errorOf([bad])
  const parts = [
    'an event line has no verified',
    'at is missing',
    'agent must be a text',
    'by must be a text',
    'type must be one of',
    'data.duratoin is not a field',
  ]
  for (const part of parts) {
    expect(message).toContain(part)
  }
  expect(await errorOf([{ ask: '', at: 'now' }])).toBe(
    'standard input, line 1: at must be an RFC 3339 time such as "2026-01-01T06:00:00Z", not "now". ' +
      'ask must be a text of 1 to 200 characters, not "".',
  )
})

test('of a member that a line has twice the last one counts', async () => {
  const twice = `{"agent":"a2",${JSON.stringify(event).slice(1)}`
  expect(twice).toContain('"agent":"a2","at"')
  const asked = ['a1', 'a2'].map((ask) => ({ at: at(1), ask }))
  const answers = await answersTo([{ agent: 'a1' }, { agent: 'a2' }, twice, ...asked])
  expect(answers).toMatchObject([{ accepted: 1 }, { accepted: 0 }])
})

test('an earlier time than the line before is refused with both times and a fix', async () => {
  const lines = [{ agent: 'a0' }, { ...event, at: at(2) }, '', { ...event, at: at(1) }]
  expect(await errorOf(lines)).toBe(
    'standard input, line 4: its time, 2026-01-02T00:00:00.000Z, is earlier than ' +
      '2026-01-03T00:00:00.000Z of line 2. Sort the lines by at.',
  )
})

test('a participant cannot change owners', async () => {
  const platform = [
    { platform: 'p1', owner: 'o1' },
    { platform: 'p1', owner: 'o2' },
  ]
  expect(await errorOf(platform)).toContain('line 2: p1 is run by another owner.')
  const agent = [
    { agent: 'a1', owner: 'o1' },
    { agent: 'a1', owner: 'o2' },
  ]
  expect(await errorOf(agent)).toContain('line 2: a1 belongs to another owner.')
  const again = [{ at: at(0), deactivate: 'a1' }, { agent: 'a1' }]
  expect(await errorOf(again)).toContain('line 2: a1 is deactivated permanently.')
  expect(
    (
      await run([
        { agent: 'a1', owner: 'o1' },
        { agent: 'a1', owner: 'o1' },
      ])
    ).output,
  ).toBe('')
})

test('an agent acts for one active agent of its owner, up to three levels deep', async () => {
  const parent = { agent: 'a1', owner: 'o1' }
  const child = { agent: 'a2', parent: 'a1' }
  const wrong: readonly (readonly [readonly object[], string])[] = [
    [[parent, { ...child, owner: 'o2' }], 'a1, for which a2 acts, belongs to another owner.'],
    [[parent, child, { agent: 'a3' }, { agent: 'a3', parent: 'a1' }], 'a3 does not act for a1.'],
    [[{ at: at(0), deactivate: 'a1' }, child], 'a1, for which a2 acts, is deactivated.'],
    [[{ agent: 'a1', parent: 'a1' }], 'a1 cannot act for itself'],
    [[{ ...child, parent: 7 }], 'parent must be a text of 1 to 200 characters'],
  ]
  for (const [lines, problem] of wrong) {
    expect(await errorOf(lines)).toContain(problem)
  }
  const chain = (deep: number) =>
    Array.from({ length: deep }, (_, i) => ({ agent: `a${i + 1}`, parent: `a${i}` }))
  expect((await run(chain(3))).output).toBe('')
  expect(await errorOf(chain(4))).toContain(
    'a4 cannot act for a3: there are at most 3 agents above',
  )
})

test('an agent that is deactivated leaves its place among the hundred children of its parent', async () => {
  const child = (name: string) => ({ agent: name, parent: 'parent' })
  const full = Array.from({ length: 100 }, (_, i) => child(`child-${i}`))
  expect(await errorOf([...full, child('next')])).toContain('next cannot act for parent')
  const deactivated = { at: at(0), deactivate: 'child-0' }
  const freed = [...full, deactivated, deactivated, child('next')]
  expect((await run(freed)).output).toBe('')
  expect(await errorOf([...freed, child('another')])).toContain('another cannot act for parent')
})

test('answers before an invalid line are written', async () => {
  const said: string[] = []
  const text = `${JSON.stringify({ at: at(0), ask: 'a1' })}\noops\n`
  const options = { settings: DEFAULT_SETTINGS, json: true, skipsBadLines: false }
  const stdin = Readable.from([Buffer.from(text)])
  const running = simulate({
    ...options,
    file: '-',
    stdin,
    say: (line) => void said.push(line),
    warn: () => undefined,
  })
  await expect(running).rejects.toThrow('line 2')
  expect(said).toHaveLength(1)
})

test('invalid lines are skipped on request, and reported', async () => {
  const lines = ['oops', event, { ...event, type: 'nothing' }, { at: at(1), ask: 'a1' }]
  const { output, warnings, skipped } = await run(lines, { skipsBadLines: true })
  expect(JSON.parse(output)).toMatchObject({ accepted: 1 })
  expect(skipped).toBe(2)
  expect(warnings.map((line) => line.slice(0, 24))).toEqual([
    'standard input, line 1: ',
    'standard input, line 3: ',
    'standard input: 2 wrong ',
  ])
})

test('an unknown field is ignored, with one warning', async () => {
  const noted = { ...event, note: 'x' }
  const { output, warnings } = await run([noted, noted, { at: at(1), ask: 'a1' }])
  expect(JSON.parse(output)).toMatchObject({ accepted: 2 })
  expect(warnings).toEqual([
    'standard input, line 1: the field note means nothing and is ignored; there are type, at, ' +
      'agent, by, data, occurredAt, externalId.',
  ])
})

test('a character that is written as an escape is accepted', async () => {
  const robot = String.raw`{"at":"2026-01-01T00:00:00Z","agent":"\ud83e\udd16","by":"p1","type":"task.completed"}`
  const { output } = await run([robot, { at: at(1), ask: '🤖' }])
  expect(JSON.parse(output)).toMatchObject({ accepted: 1 })
})

test('a byte order mark, CRLF, blank lines and a missing final line break are accepted', async () => {
  const text = [
    `\ufeff${JSON.stringify(event)}\r`,
    '',
    '  ',
    JSON.stringify({ at: at(1), ask: 'a1' }),
  ]
  expect(await answerTo([text.join('\n')])).toMatchObject({ accepted: 1 })
})

test('characters of several bytes can be split over chunks of the input', async () => {
  const bytes = Buffer.from(`${JSON.stringify({ at: at(0), ask: 'Zoë €🙂' })}\n`)
  const said: string[] = []
  await simulate({
    ...{ file: '-', settings: DEFAULT_SETTINGS, json: true, skipsBadLines: false },
    stdin: Readable.from(Array.from(bytes, (byte) => Buffer.of(byte))),
    say: (line) => void said.push(line),
    warn: () => undefined,
  })
  expect(JSON.parse(said.join(''))).toMatchObject({ agent: 'Zoë €🙂' })
})

test('the error names a compressed file, a missing file and a directory', async () => {
  const reading = (file: string, stdin = Readable.from([])) =>
    simulate({
      ...{ file, stdin, settings: DEFAULT_SETTINGS, json: true, skipsBadLines: false },
      say: () => undefined,
      warn: () => undefined,
    })
  const packed = Readable.from([gzipSync('{}')])
  await expect(reading('-', packed)).rejects.toThrow('standard input is compressed. Unpack it')
  await expect(reading('/nowhere/x.jsonl')).rejects.toThrow('x.jsonl cannot be read: there is no')
  await expect(reading('/')).rejects.toThrow('cannot be read: it is a directory')
})

test('any line is accepted or ends the simulation with its number', async () => {
  const value = fc.oneof(
    fc.constantFrom('a1', 'p1', 'self', 'owner', at(0), at(9), 'task.completed', null, true, ''),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const field = fc.constantFrom(
    ...['at', 'agent', 'by', 'type', 'data', 'occurredAt', 'externalId', 'platform', 'owner'],
    ...['verified', 'issue', 'deactivate', 'ask', 'note', '__proto__', 'constructor'],
  )
  const line = fc.oneof(
    fc.dictionary(field, value, { maxKeys: 7 }),
    fc.record({ at: fc.constant(at(9)), agent: value, by: value, type: value, data: value }),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 6 }), async (lines) => {
      const texts = lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
      const { output } = await run(texts, { skipsBadLines: true })
      for (const answer of output === '' ? [] : output.split('\n')) {
        expect(JSON.parse(answer)).toHaveProperty('score')
      }
    }),
    { numRuns: 400, seed: 20260101 },
  )
})
