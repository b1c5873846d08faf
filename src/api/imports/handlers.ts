import { auditAlone } from '../../audit/audit.ts'
import type { Context } from '../../context.ts'
import { TrustError } from '../../domain/error.ts'
import { checkEncoding } from '../../http/json.ts'
import { mediaTypeOf } from '../../http/request.ts'
import { ok } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import { type ImportDeps, importPast } from '../../imports/import-past.ts'
import { createLineReader, type LineOptions, linesOf } from './lines.ts'
import { IMPORT_SPECS } from './spec.ts'
import { spooled } from './spool.ts'

export interface ImportRouteDeps extends Context, ImportDeps {
  /** The keyed hash under which a counterparty is stored. */
  readonly nameCounterparty: (text: string) => string
  readonly settings: Pick<LineOptions, 'occurredAtDays'>
}

export function importRoutes(deps: ImportRouteDeps): readonly Route[] {
  return bind(IMPORT_SPECS, deps, { importPast: importLines })
}

async function importLines(
  deps: ImportRouteDeps,
  { caller, query, request }: InputOf<(typeof IMPORT_SPECS)['importPast']>,
) {
  checkType(mediaTypeOf(request.headers))
  checkEncoding(request.headers.get('content-encoding'))
  const { name, dryRun, firstLine } = query
  const { agent, by } = query
  const { occurredAtDays } = deps.settings
  const read = createLineReader({ agent, by, occurredAtDays }, deps.nameCounterparty)
  const target = { kind: 'import', id: name }
  return spooled(request.body, async (text) => {
    if (!dryRun) {
      await auditAlone(deps.store, deps, caller, {
        action: 'import.started',
        target,
        details: { firstLine },
      })
    }
    const options = { name, isDryRun: dryRun }
    const result = await importPast(deps, linesOf(text, firstLine, read), options)
    const { errors, agents, ...counts } = result
    if (!dryRun) {
      await auditAlone(deps.store, deps, caller, {
        action: 'import.completed',
        target,
        details: { ...counts },
      })
    }
    return ok({ name, dryRun, ...counts, errors, agents })
  })
}

/** curl sends a form's type unless another is given; that of JSON lines has several names. */
const TYPES = ['application/x-ndjson', 'application/jsonl', 'application/json-lines', 'text/plain']

function checkType(type: string): void {
  if (!TYPES.includes(type)) {
    throw new TrustError(
      'UNSUPPORTED_MEDIA_TYPE',
      'send the past as JSON lines, with the header content-type: application/x-ndjson',
    )
  }
}
