import { LOGGED_TYPES, REPORTED_TYPES } from '../../../src/domain/event.ts'
import { command } from '../command.ts'
import { CALLER_OPTIONS, EXAMPLE_ID, OPERATOR_OPTIONS, URL_OPTION } from '../options.ts'

export const TAIL_OPTIONS = [
  { name: 'follow', help: 'go on with new events until it is stopped' },
  { name: 'last', value: 'N', help: 'begin with the last N, 100 at most (default 10)' },
  { name: 'type', value: 'TYPE', help: 'only events of this type', choices: LOGGED_TYPES },
  ...CALLER_OPTIONS,
] as const

export const SEND_OPTIONS = [
  {
    name: 'external-id',
    value: 'ID',
    help: 'your own name of the event: the same again counts once',
  },
  { name: 'occurred-at', value: 'TIME', help: 'when it happened (default now)' },
  URL_OPTION,
  {
    name: 'key',
    value: 'KEY',
    help: "a platform's key (avp_…), or the agent's own (avs_…)",
    env: ['STANDING_API_KEY'],
  },
] as const

export const IMPORT_OPTIONS = [
  { name: 'dry-run', help: 'write nothing; show the scores that would come of it' },
  { name: 'name', value: 'NAME', help: 'name of the past (default the name of the file)' },
  { name: 'agent', value: 'AGENT_ID', help: 'agent of the lines that name none' },
  { name: 'by', value: 'PLATFORM_ID', help: 'platform of the lines that name none' },
  ...OPERATOR_OPTIONS,
] as const

const IMPORT_DETAILS = `FILE holds JSON lines, plain or gzipped, in order of time:

  { "at": "2025-01-07T09:30:00Z", "agent": ID, "by": PLATFORM_ID, "type": "task.completed",
    "data": { "duration": 900 }, "externalId": "order-1" }

Each event counts from the time at which it happened, and stays marked as imported. An agent takes
a past before its first report. After a break run the same command again: what is there already is
imported once. Try --dry-run first: it writes nothing and shows the scores that would come of it.
examples/past.jsonl is a sample; docs/import.md describes the lines.`

const handlers = () => import('../commands/events.ts')

export const EVENTS = [
  command({
    name: 'events tail',
    operands: ['[AGENT_ID]'],
    summary: 'Show the latest events about an agent; --follow also prints new ones',
    options: TAIL_OPTIONS,
    json: 'an Event a line',
    example: `standing events tail ${EXAMPLE_ID} --follow`,
    load: async () => (await handlers()).tail,
  }),
  command({
    name: 'events send',
    operands: ['AGENT_ID', 'TYPE', '[DATA]'],
    summary: 'Report an event about an agent',
    details: `TYPE is one of ${REPORTED_TYPES.slice(0, 6).join(', ')},\n${REPORTED_TYPES.slice(6).join(', ')}. DATA is a JSON object.`,
    options: SEND_OPTIONS,
    json: 'the Event',
    example: `standing events send ${EXAMPLE_ID} task.completed '{"duration":900}'`,
    load: async () => (await handlers()).send,
  }),
  command({
    name: 'events import',
    alias: 'import',
    operands: ['FILE'],
    summary: 'Import past events of a platform with their original times',
    details: IMPORT_DETAILS,
    options: IMPORT_OPTIONS,
    json: 'an ImportSummary',
    example: 'standing events import orders-2025.jsonl --dry-run',
    load: async () => (await import('../commands/import.ts')).importPast,
  }),
]
