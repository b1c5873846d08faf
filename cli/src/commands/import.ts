import { defineCommand } from '../command.ts'
import { importFile } from '../import/import-file.ts'
import { describeImport } from '../import/table.ts'
import { OPERATOR_OPTIONS, operatorKeyOf } from '../operator.ts'
import { serviceUrl } from '../service-url.ts'

const DETAILS = `FILE holds JSON lines, plain or gzipped, in order of time:

  { "at": "2025-01-07T09:30:00Z", "agent": ID, "by": PLATFORM_ID, "type": "task.completed",
    "data": { "duration": 900 }, "externalId": "order-1" }

Each event counts from the time at which it happened, and is marked as imported for good. An agent takes
a past before its first report. After a break run the same command again: what is there already is
imported once. Try --dry-run first: it writes nothing and shows the scores that would come of it.`

export const importCommand = defineCommand({
  name: 'import',
  operands: ['FILE'],
  summary: 'Import the past of a platform, folded at the times at which it happened',
  details: DETAILS,
  options: [
    { name: 'dry-run', help: 'write nothing; show the scores that would come of it' },
    { name: 'name', value: 'NAME', help: 'name of the past (default the name of the file)' },
    { name: 'agent', value: 'AGENT_ID', help: 'agent of the lines that name none' },
    { name: 'by', value: 'PLATFORM_ID', help: 'platform of the lines that name none' },
    ...OPERATOR_OPTIONS,
  ],
  example: 'standing import orders-2025.jsonl --dry-run',
  async run({ words: [file = ''], options, flags }, terminal) {
    const total = await importFile(
      {
        file,
        url: serviceUrl(terminal, options),
        operatorKey: operatorKeyOf(terminal, options),
        isDryRun: flags.has('dry-run'),
        name: options.name,
        agent: options.agent,
        by: options.by,
      },
      terminal.stderr,
    )
    terminal.say(describeImport(total))
    return total.refused > 0 ? 1 : 0
  },
})
