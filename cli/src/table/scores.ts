import { command } from '../command.ts'
import { CALLER_OPTIONS, DATA_OPTIONS, EXAMPLE_ID, RANGE_OPTIONS } from '../options.ts'

export const GET_OPTIONS = [
  { name: 'at', value: 'TIME', help: 'the score as of that time: 2026-06-15T11:00:00Z' },
  ...CALLER_OPTIONS,
] as const

export const EXPLAIN_OPTIONS = [
  { name: 'since', value: 'SNAPSHOT_ID', help: 'what changed since a snapshot of the history' },
  ...CALLER_OPTIONS,
] as const

export const HISTORY_OPTIONS = [...RANGE_OPTIONS, ...CALLER_OPTIONS] as const

export const REPLAY_OPTIONS = [
  { name: 'all', help: 'check every agent' },
  { name: 'write', help: 'first recompute scores that were stored by another model version' },
  ...DATA_OPTIONS,
] as const

export const DIFF_OPTIONS = [
  {
    name: 'model',
    value: 'FILE',
    help: 'JSON file with the parameters that change',
    isRequired: true,
  },
  ...DATA_OPTIONS,
] as const

export const VERIFY_OPTIONS = [
  {
    name: 'key',
    value: 'JWKS',
    help: "file with the service's public keys; without it the signature is not checked",
  },
] as const

const handlers = () => import('../commands/scores.ts')

export const SCORES = [
  command({
    name: 'score get',
    operands: ['AGENT_ID'],
    summary: 'Show the score of an agent, with its dimensions and its confidence',
    options: GET_OPTIONS,
    json: 'a Score',
    example: `standing score get ${EXAMPLE_ID}`,
    load: async () => (await handlers()).get,
  }),
  command({
    name: 'score explain',
    operands: ['AGENT_ID'],
    summary: 'Show why the score is what it is: reasons, and the points of each type of event',
    options: EXPLAIN_OPTIONS,
    json: 'a ScoreExplanation',
    example: `standing score explain ${EXAMPLE_ID}`,
    load: async () => (await handlers()).explain,
  }),
  command({
    name: 'score history',
    operands: ['AGENT_ID'],
    summary: 'List the snapshots of a score, newest first',
    options: HISTORY_OPTIONS,
    json: 'a Snapshot a line',
    example: `standing score history ${EXAMPLE_ID} --limit 10`,
    load: async () => (await handlers()).history,
  }),
  command({
    name: 'score replay',
    operands: ['[AGENT_ID]'],
    summary: 'Recompute scores from the event log and check that they equal the stored ones',
    options: REPLAY_OPTIONS,
    json: '{ agentId, eventId, difference } a line for each agent that differs, then { agents, events, differ }',
    example: 'standing score replay --all',
    load: async () => (await import('../commands/score-replay.ts')).scoreReplay,
  }),
  command({
    name: 'score diff',
    operands: [],
    summary: 'Show which agents would change tier with other model parameters; changes nothing',
    options: DIFF_OPTIONS,
    json: '{ agentId, before, after } a line for each such agent, then { agents, up, down, moved, points }',
    example: 'standing score diff --model next.json',
    load: async () => (await import('../commands/score-diff.ts')).scoreDiff,
  }),
  command({
    name: 'verify',
    operands: ['RECEIPT', 'EVENTS'],
    summary: 'Recompute a score from exported events, offline, and compare it with its receipt',
    options: VERIFY_OPTIONS,
    json: '{ proven, signed, later, receipt }, or { proven, problem }',
    example: 'standing verify receipt.json events.jsonl --key keys.json',
    load: async () => (await import('../commands/verify.ts')).verify,
  }),
  command({
    name: 'lookup',
    operands: ['IDENTIFIER'],
    summary: 'Find an agent and its score by a domain, DID, URL or account',
    details: 'The exit code is 1 if no agent has proven the name.',
    options: CALLER_OPTIONS,
    json: 'a Lookup',
    example: 'standing lookup did:web:agent.example.com',
    load: async () => (await import('../commands/lookup.ts')).lookup,
  }),
]
