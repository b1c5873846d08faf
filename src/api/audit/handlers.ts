import type { Context } from '../../context.ts'
import { okContent } from '../../http/response.ts'
import { bind, type InputOf, type Route } from '../../http/route.ts'
import type { ChainedRow, Store } from '../../store/store.ts'
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
  const page = await store.audit.list('newestFirst', position?.[0] ?? null, limit)
  const present = await presenterOf(store, page.rows)
  return respond(page, present, ({ number }) => [number])
}

async function exportAudit({ store }: Context, { query }: InputOf<typeof AUDIT_SPECS.exportAudit>) {
  const { rows } = await store.audit.list('oldestFirst', query.after ?? null, EXPORT_MAX)
  const present = await presenterOf(store, rows)
  const lines = rows.map((row) => `${JSON.stringify(present(row))}\n`)
  return okContent(lines.join(''), `${JSON_LINES_TYPE}; charset=utf-8`)
}

/** Presents entries with the names that the keys of these actors have. */
async function presenterOf(store: Store, rows: readonly ChainedRow[]) {
  const isOperator = rows.some(({ actor }) => actor.kind === 'operator')
  const operators = isOperator ? await store.operators.findAll({}) : []
  const keyIds = rows.flatMap(({ actor }) => (actor.kind === 'key' && actor.id ? [actor.id] : []))
  const keys = await store.ownerKeys.findMany([...new Set(keyIds)])
  const names = new Map([...operators, ...keys.values()].map(({ id, name }) => [id, name]))
  return ({ actor, createdAt, ...row }: ChainedRow) => {
    const named = { ...actor, name: names.get(actor.id ?? '') ?? null }
    return { ...row, actor: named, createdAt: time(createdAt) }
  }
}
