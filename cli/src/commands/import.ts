import { operatorKeyOf, serviceUrl } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { describeImport } from '../import/describe-import.ts'
import { importFile } from '../import/import-file.ts'
import type { IMPORT_OPTIONS } from '../table/events.ts'

/** What the service says of a line without an agent. */
const NO_AGENT = /^agent: is required/

export async function importPast(
  { words: [file = ''], options, flags }: InputOf<typeof IMPORT_OPTIONS>,
  session: Session,
): Promise<number> {
  const summary = await importFile(
    {
      file,
      url: serviceUrl(session, options),
      operatorKey: operatorKeyOf(session, options),
      isDryRun: flags.has('dry-run'),
      name: options.name,
      agent: options.agent,
      by: options.by,
    },
    session,
  )
  session.show(summary, describeImport(summary))
  if (options.agent === undefined && summary.errors.some(({ message }) => NO_AGENT.test(message))) {
    session.note('\nLines without an agent are about the one that --agent ID names.')
  }
  return summary.refused > 0 ? 1 : 0
}
