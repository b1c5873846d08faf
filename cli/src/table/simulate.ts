import { command } from '../command.ts'

const DETAILS = `FILE holds JSON lines in the order of their times; - reads the standard input. The command prints one line for
each "ask": a row of a table on a terminal, JSON in a pipe or a file. docs/simulate.md describes the lines,
examples/simulate.jsonl is a sample:

  {"platform":"p1","owner":null,"verified":true}
  {"agent":"a1","owner":"o1"}
  {"at":"2026-01-01T06:00:00Z","agent":"a1","by":"p1","type":"task.completed","data":{}}
  {"at":"2026-01-01T07:00:00Z","issue":"a1","by":"p1","type":"KycVerified"}
  {"at":"2026-01-02T00:00:00Z","ask":"a1"}
  {"at":"2026-01-03T00:00:00Z","deactivate":"a1"}`

/** Limits that are settings of the service, with its bounds and its defaults. */
export const LIMITS = [
  {
    name: 'events-per-agent-hour',
    value: 'N',
    help: 'events an hour of one reporter about one agent (100)',
  },
  {
    name: 'events-per-platform-hour',
    value: 'N',
    help: 'events an hour of one platform (1000)',
  },
  { name: 'occurred-at-days', value: 'N', help: 'how far back occurredAt may lie (30)' },
  { name: 'rate-limits', value: 'on|off', help: 'whether these two limits apply (on)' },
] as const

export const SIMULATE_OPTIONS = [
  { name: 'rules', value: 'FILE', help: 'JSON file with the settings of rules that change' },
  { name: 'model', value: 'FILE', help: 'JSON file with the figures of the model that change' },
  ...LIMITS,
  { name: 'skip-bad-lines', help: 'leave wrong lines out instead of ending with the first' },
] as const

export const SIMULATE = command({
  name: 'simulate',
  operands: ['FILE'],
  summary: 'Score a stream of events on a virtual clock, as the service would; needs no service',
  details: DETAILS,
  options: SIMULATE_OPTIONS,
  json: 'a line for each "ask"',
  example: 'standing simulate events.jsonl',
  load: async () => (await import('../commands/simulate.ts')).simulate,
})
