import { LOGGED_TYPES, REPORTED_TYPES } from '../../../src/domain/event.ts'
import { command } from '../command.ts'
import { CALLER_OPTIONS, EXAMPLE_ID, OPERATOR_OPTIONS, URL_OPTION } from '../options.ts'

export const TAIL_OPTIONS = [
  { name: 'follow', help: 'continue with new events until the command is stopped' },
  { name: 'last', value: 'N', help: 'begin with the last N, 100 at most (default 10)' },
  { name: 'type', value: 'TYPE', help: 'only events of this type', choices: LOGGED_TYPES },
  ...CALLER_OPTIONS,
] as const

export const SEND_OPTIONS = [
  {
    name: 'external-id',
    value: 'ID',
    help: 'your own id of the event; a repeated report with it counts once',
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
  { name: 'dry-run', help: 'write nothing; show the scores that the import would give' },
  { name: 'name', value: 'NAME', help: 'name of the past (default the name of the file)' },
  { name: 'agent', value: 'AGENT_ID', help: 'agent of the lines that name none' },
  { name: 'by', value: 'PLATFORM_ID', help: 'platform of the lines that name none' },
  ...OPERATOR_OPTIONS,
] as const

const IMPORT_DETAILS = `FILE holds JSON lines, plain or gzipped, in order of time:

  { "at": "2025-01-07T09:30:00Z", "agent": ID, "by": PLATFORM_ID, "type": "task.completed",
    "data": { "duration": 900 }, "externalId": "order-1" }

Each event counts from the time at which it happened, and stays marked as imported. Import the past
of an agent before its first report. After an interruption run the same command again: every event is
imported once. Try --dry-run first: it writes nothing and shows the scores that the import would give.
examples/past.jsonl is a sample; docs/import.md describes the lines.`

const handlers = () => import('../commands/events.ts')

export const EVENTS = [
  command({
    name: 'event tail',
    operands: ['[AGENT_ID]'],
    summary: 'Show the latest events about an agent; --follow also prints new ones',
    details:
      "Without an id: the events about the agent of the key, or those that the key's platform reported.\n" +
      'If the service is unavailable, --follow waits and then continues.',
    options: TAIL_OPTIONS,
    json: 'an Event a line',
    example: `standing event tail ${EXAMPLE_ID} --follow`,
    load: async () => (await handlers()).tail,
  }),
  command({
    name: 'event send',
    operands: ['AGENT_ID', 'TYPE', '[DATA]'],
    summary: 'Report an event about an agent',
    details: `TYPE is one of ${REPORTED_TYPES.slice(0, 6).join(', ')},\n${REPORTED_TYPES.slice(6).join(', ')}. DATA is a JSON object.`,
    options: SEND_OPTIONS,
    json: 'the Event',
    example: `standing event send ${EXAMPLE_ID} task.completed '{"duration":900}'`,
    load: async () => (await handlers()).send,
  }),
  command({
    name: 'event import',
    alias: 'import',
    operands: ['FILE'],
    summary: 'Import past events of a platform with their original times',
    details: IMPORT_DETAILS,
    options: IMPORT_OPTIONS,
    json: 'an ImportSummary',
    example: 'standing event import orders-2025.jsonl --dry-run',
    load: async () => (await import('../commands/import.ts')).importPast,
  }),
]
