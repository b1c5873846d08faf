import { command, type Option } from '../command.ts'
import { OPERATOR_OPTIONS } from '../options.ts'

export const REPLAY_DEFAULTS = { platforms: 8, future: 100, concurrency: 16, patience: 30 } as const

export const REPLAY_OPTIONS = [
  {
    name: 'history',
    value: 'N',
    help: 'report the first N events of each agent; later ones are compared with (default all)',
  },
  {
    name: 'future',
    value: 'N',
    help: `how many later events of each agent to compare with (default ${REPLAY_DEFAULTS.future})`,
  },
  { name: 'events', value: 'N', help: 'report at most N events (default all)' },
  {
    name: 'platforms',
    value: 'N',
    help: `map the platforms of the file onto N (default ${REPLAY_DEFAULTS.platforms})`,
  },
  {
    name: 'concurrency',
    value: 'N',
    help: `agents to report on at the same time (default ${REPLAY_DEFAULTS.concurrency})`,
  },
  {
    name: 'run',
    value: 'NAME',
    help: 'name of the run; repeated under the same name, no event is counted twice',
  },
  {
    name: 'patience',
    value: 'SECONDS',
    help: `how long to retry while the service is unavailable (default ${REPLAY_DEFAULTS.patience})`,
  },
  { name: 'journal', value: 'FILE', help: 'append each acknowledged event, synced to disk' },
  { name: 'output', value: 'FILE', help: 'write the result there as JSON too' },
  ...OPERATOR_OPTIONS,
] as const satisfies readonly Option[]

const DETAILS = `FILE holds JSON lines, plain or gzipped, sorted by time. A line is an event

  { "agent": "a1", "platform": "p1", "t": "2026-06-15T11:00:00Z", "type": "task.completed", "data": {}, "good": true }

where t is a time or a number of seconds, and good is true, false, 1 or 0; or the outcome that an agent's
events should predict:

  { "agent": "a1", "outcome": true }

The events are reported as a new owner, new platforms and new agents, which stay in the database.
examples/replay.jsonl is a sample; docs/replay.md describes the lines.`

export const REPLAY = command({
  name: 'replay',
  operands: ['FILE'],
  summary:
    'Report a recorded stream of events to a running service, then compare its scores with what came later',
  details: DETAILS,
  options: REPLAY_OPTIONS,
  json: 'the result: counts, reasons, agreement and every agent',
  example: 'standing replay events.jsonl.gz --history 400',
  load: async () => (await import('../commands/replay.ts')).replay,
})
