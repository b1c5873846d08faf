import { DEFAULT_POLICY, readRules } from '../../../lab/simulate/policy.ts'
import { simulate as simulateFile } from '../../../lab/simulate/run.ts'
import type { Policy } from '../../../lab/simulate/simulator.ts'
import { readConfig } from '../../../src/config.ts'
import { defineCommand } from '../command.ts'
import { readModel } from '../score/model.ts'

const DETAILS = `FILE holds JSON lines in the order of their times; - reads the standard input. For each line that asks, a line
comes out. docs/simulate.md describes the lines:

  {"platform":"p1","owner":null,"verified":true}
  {"agent":"a1","owner":"o1"}
  {"at":"2026-01-01T06:00:00Z","agent":"a1","by":"p1","type":"task.completed","data":{}}
  {"at":"2026-01-01T07:00:00Z","issue":"a1","by":"p1","type":"KycVerified"}
  {"at":"2026-01-02T00:00:00Z","ask":"a1"}
  {"at":"2026-01-03T00:00:00Z","deactivate":"a1"}`

/** Limits that are settings of the service, with its bounds and its defaults. */
const LIMITS = [
  {
    name: 'events-per-agent-hour',
    value: 'N',
    help: 'events of one reporter about one agent (100)',
  },
  {
    name: 'events-per-platform-hour',
    value: 'N',
    help: 'events of one platform in an hour (1000)',
  },
  { name: 'occurred-at-days', value: 'N', help: 'how far back occurredAt may lie (30)' },
  { name: 'rate-limits', value: 'on|off', help: 'whether events an hour are limited (on)' },
] as const

export const simulate = defineCommand({
  name: 'simulate',
  operands: ['FILE'],
  summary: 'Score a stream of events on a virtual clock, as the service would; needs no service',
  details: DETAILS,
  options: [
    { name: 'json', help: 'write the answers as JSON lines' },
    { name: 'rules', value: 'FILE', help: 'JSON file with the settings of rules that change' },
    { name: 'model', value: 'FILE', help: 'JSON file with the figures of the model that change' },
    ...LIMITS,
    { name: 'skip-bad-lines', help: 'leave wrong lines out instead of ending with the first' },
  ],
  example: 'standing simulate events.jsonl',
  async run({ words: [file = ''], options, flags }, { say, stderr }) {
    const { rules, model, ...limits } = options
    const policy: Policy = {
      ...DEFAULT_POLICY,
      ...limitsOf(limits),
      ...(rules === undefined ? {} : { rules: await readRules(rules) }),
      ...(model === undefined ? {} : { model: await readModel(model) }),
    }
    const skipped = await simulateFile({
      file,
      stdin: process.stdin,
      policy,
      json: flags.has('json'),
      skipsBadLines: flags.has('skip-bad-lines'),
      say,
      warn: (line) => void stderr.write(`${line}\n`),
    })
    return skipped > 0 ? 1 : 0
  },
})

/** Read as flags alone: a simulation comes out the same whatever the environment sets. */
function limitsOf(options: Readonly<Record<string, string | undefined>>): Partial<Policy> {
  const flags = LIMITS.flatMap(({ name }) =>
    options[name] === undefined ? [] : [`--${name}=${options[name]}`],
  )
  const { rateLimits, eventsPerAgentHour, eventsPerPlatformHour, occurredAtDays } = readConfig(
    {},
    flags,
  )
  return { rateLimits, eventsPerAgentHour, eventsPerPlatformHour, occurredAtDays }
}
