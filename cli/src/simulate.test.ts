import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { run } from './run.ts'

const folder = await mkdtemp(join(tmpdir(), 'standing-simulate-'))
afterAll(() => rm(folder, { recursive: true }))

/** Runs `standing simulate`: its exit code and what it wrote to either stream. */
async function simulate(args: readonly string[], env = {}) {
  const out: string[] = []
  const errors: string[] = []
  const stderr = { write: (text: string) => void errors.push(text) }
  const say = (line: string) => void out.push(line)
  const code = await run(['simulate', ...args], { env, say, stderr })
  return { code, out: out.join('\n'), errors: errors.join('') }
}

async function file(name: string, lines: readonly (string | object)[]): Promise<string> {
  const path = join(folder, name)
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(path, texts.join('\n'))
  return path
}

const copy = (i: number) => ({
  at: `2026-01-01T0${i}:00:00Z`,
  agent: 'a1',
  by: 'p1',
  type: 'payment.completed',
  data: { amount: 149.37 },
  occurredAt: '2026-01-01T00:00:30Z',
})
const copies = Array.from({ length: 8 }, (_, i) => copy(i))
const ask = { at: '2026-01-02T00:00:00Z', ask: 'a1' }
const events = await file('events.jsonl', [...copies, ask])

test('the output is JSON lines, or a table with totals', async () => {
  const { code, out } = await simulate([events, '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ agent: 'a1', accepted: 1, quarantined: 7, refused: 0 })
  expect((await simulate([events])).out).toContain(
    '8 events about 1 agent by 1 platform: 1 accepted, 7 quarantined, 0 refused\n' +
      'Quarantined by: identical_event 7',
  )
})

test('an invalid line ends the simulation with exit code 1 and its number, or is skipped on request', async () => {
  const wrong = await file('wrong.jsonl', ['oops', ...copies, ask])
  const { code, out, errors } = await simulate([wrong, '--json'])
  expect([code, out]).toEqual([1, ''])
  expect(errors).toContain(
    'wrong.jsonl, line 1: it is not JSON. Write one JSON object a line, not oops',
  )
  const skipping = await simulate([wrong, '--json', '--skip-bad-lines'])
  expect(skipping.code).toBe(1)
  expect(JSON.parse(skipping.out)).toMatchObject({ accepted: 1 })
  expect(skipping.errors).toContain('1 wrong line was left out')
})

test('rules are simulated with the settings of a file', async () => {
  const shadow = await file('rules.json', [{ identical_event: { mode: 'shadow' } }])
  const { out } = await simulate([events, '--json', '--rules', shadow])
  expect(JSON.parse(out)).toMatchObject({ accepted: 8, quarantined: 0 })
})

test.each([
  ['{ "unknown": {} }', 'there is no rule unknown. There are attestation_invalid, '],
  ['{ "sleeper": { "mode": "no" } }', 'sleeper.mode must be one of quarantine, shadow, off.'],
  ['{ "sleeper": { "threshold": 1 } }', 'sleeper.threshold must be from 5 to 10000'],
  ['{ "identical_event": { "threshold": 1 } }', 'identical_event.threshold does not exist'],
  ['[]', 'must hold one JSON object'],
  ['{', 'is not JSON'],
])('settings of rules %s are refused', async (text, problem) => {
  const { code, errors } = await simulate([events, '--rules', await file('bad-rules.json', [text])])
  expect(code).toBe(1)
  expect(errors).toContain(problem)
})

test('limits are set by options; the environment changes nothing', async () => {
  const limited = await simulate([events, '--json', '--occurred-at-days=3'], {
    STANDING_EVENTS_PER_AGENT_HOUR: '1',
  })
  expect(limited.code).toBe(0)
  const close = copies.map(({ occurredAt: _, ...one }) => ({ ...one, at: '2026-01-01T00:00:00Z' }))
  const flood = await file('flood.jsonl', [...close, ask])
  const { out } = await simulate([flood, '--json', '--events-per-agent-hour', '2'])
  expect(JSON.parse(out)).toMatchObject({ accepted: 2, refused: 6 })
})

test.each([
  ['--events-per-agent-hour', 'x', 'must be a whole number from 1 to 1000000000, not "x".'],
  ['--rate-limits', 'maybe', 'must be one of on, off, not "maybe".'],
])(
  'a wrong value of %s is wrong usage, and the option is named',
  async (option, value, problem) => {
    expect(await simulate([events, option, value])).toMatchObject({
      code: 2,
      out: '',
      errors: expect.stringContaining(`${option} ${problem}`),
    })
  },
)

test.each([
  ['{ "halfLifeDays": -5 }', 'halfLifeDays must be a number of at least 0.000001, not -5.'],
  ['{ "halfLifeDays": 1e999 }', 'halfLifeDays must be a number'],
  ['{ "scoreMax": -1 }', 'scoreMax is always 1000: scores are compared on one scale.'],
  ['{ "trimLow": 1.5 }', 'trimLow must be a number from 0 to 1, not 1.5.'],
  ['{ "platformsMax": 2.5 }', 'platformsMax must be a whole number from 0 to 10000, not 2.5.'],
  [
    '{ "taskObservation": { "completed": 1, "failed": -9, "timeout": -1 } }',
    'taskObservation.failed must be a number from -1 to 1, not -9.',
  ],
  [
    '{ "weights": { "reliability": 0.9, "financial": 0.9, "identity": 0.9 } }',
    'weights must be 1 in sum, not 2.7.',
  ],
  ['{ "trimLow": 0.8 }', 'trimLow and trimHigh must leave a part of the votes'],
  ['{ "deniedFrom": 0.5 }', 'deniedFrom must be less than deniedTo.'],
])('a model with the figures %s is refused, and the file is named', async (text, problem) => {
  const path = await file('bad-model.json', [text])
  const { code, out, errors } = await simulate([events, '--json', '--model', path])
  expect([code, out]).toEqual([1, ''])
  expect(errors).toContain(`${path}: ${problem}`)
})

test('another model gives another score', async () => {
  const model = await file('model.json', [{ halfTrustOdds: 1 }])
  const work = copies.map((one) => ({ ...one, type: 'task.completed', data: {} }))
  const good = await file('good.jsonl', [{ platform: 'p1', verified: true }, ...work, ask])
  const [now, next] = await Promise.all([
    simulate([good, '--json']),
    simulate([good, '--json', '--model', model]),
  ])
  expect(JSON.parse(next.out).score).toBeGreaterThan(JSON.parse(now.out).score)
})
