import { call } from './client.ts'
import type { ImportSummary } from './types.ts'

/** The past of platforms, as JSON lines. A dry run writes nothing. */
export function importPast(
  file: Blob,
  query: { readonly name: string; readonly dryRun: 'true' | 'false' },
): Promise<ImportSummary> {
  return call('POST', '/v1/operator/imports', { query, file })
}
