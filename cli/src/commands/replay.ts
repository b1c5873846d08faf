import { defineCommand } from '../command.ts'
import { REPLAY_OPTIONS, replayOptions } from '../replay/options.ts'
import { replayFile } from '../replay/run.ts'
import { describeResult } from '../replay/table.ts'

const DETAILS = `FILE holds JSON lines, plain or gzipped, sorted by time. A line is an event

  { "agent": "a1", "platform": "p1", "t": 1718443200, "type": "task.completed", "data": {}, "good": 1 }

where t is in seconds and good is 1 or 0, or the outcome that an agent's events should predict:

  { "agent": "a1", "outcome": 1 }

The events are reported as a new owner, new platforms and new agents, which stay in the database.`

export const replay = defineCommand({
  name: 'replay',
  operands: ['FILE'],
  summary:
    'Report a recorded stream of events to a running service, then compare its scores with what came later',
  details: DETAILS,
  options: REPLAY_OPTIONS,
  example: 'standing replay events.jsonl.gz --history 400',
  async run({ words: [file = ''], options }, terminal) {
    const settings = replayOptions(file, terminal, options, new Date())
    terminal.say(describeResult(await replayFile(settings, terminal.stderr)))
    return 0
  },
})
