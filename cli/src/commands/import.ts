import { operatorKeyOf, serviceUrl } from '../clients.ts'
import type { InputOf, Session } from '../command.ts'
import { describeImport } from '../import/describe-import.ts'
import { importFile } from '../import/import-file.ts'
import type { IMPORT_OPTIONS } from '../table/events.ts'

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
  return summary.refused > 0 ? 1 : 0
}
