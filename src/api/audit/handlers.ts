import type { Context } from '../../context.ts'
import { okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { ChainedRow } from '../../store/store.ts'
import { JSON_LINES_TYPE } from '../caching.ts'
import { pageOf } from '../paging.ts'
import { time } from '../wire.ts'
import { AUDIT_SPECS, EXPORT_MAX } from './spec.ts'

export function auditRoutes(deps: Context): readonly Route[] {
  return bind(AUDIT_SPECS, deps, { listAudit, exportAudit })
}

async function listAudit(
  { store, cursors }: Context,
  { query }: InputOf<typeof AUDIT_SPECS.listAudit>,
) {
  const { position, limit, respond } = pageOf<[number]>(cursors, query, { list: 'audit' })
  const page = await store.audit.list({ before: position?.[0] ?? null, limit })
  return respond(page, presentEntry, ({ number }) => [number])
}

async function exportAudit({ store }: Context, { query }: InputOf<typeof AUDIT_SPECS.exportAudit>) {
  const { rows } = await store.audit.list({ after: query.after ?? 0, limit: EXPORT_MAX })
  const lines = rows.map((row) => `${JSON.stringify(presentEntry(row))}\n`)
  return okContent(lines.join(''), `${JSON_LINES_TYPE}; charset=utf-8`)
}

function presentEntry({ id, actor, action, target, details, createdAt, number, hash }: ChainedRow) {
  return { id, actor, action, target, details, createdAt: time(createdAt), number, hash }
}
