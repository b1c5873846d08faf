import { z } from '@hono/zod-openapi'
import type { CallerOf } from '../../core/caller.ts'
import { type Route, route } from '../../http/route.ts'
import type { AuditRow, Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { Id, listOf, PageQuery, pageAnswer, pageOf, Time, time } from '../wire.ts'

/** Writes down what an operator did, in the transaction that does it. */
export function audit(
  store: Store,
  { now, newId }: Context,
  caller: CallerOf<'operator'>,
  action: string,
  target: AuditRow['target'],
  details: AuditRow['details'] = {},
): Promise<void> {
  const actor = { kind: 'operator', id: caller.operatorId }
  return store.audit.insert({ id: newId(), actor, action, target, details, createdAt: now() })
}

const Kind = z.string().openapi({ example: 'platform' })
const Name = z.string().openapi({ example: '01931b5a-90c4-7f02-a5d3-6c1e8f7b4a20' })
const Party = z.object({ kind: Kind, id: Name })

const AuditEntry = z
  .object({
    id: Id,
    actor: z.object({ kind: Kind.openapi({ example: 'operator' }), id: Name.nullable() }),
    action: z.string().openapi({ example: 'platform.updated' }),
    target: Party.nullable(),
    details: z.record(z.string(), z.unknown()).openapi({ example: { tier: 'growth' } }),
    createdAt: Time,
  })
  .openapi('AuditEntry')

const AuditList = listOf(AuditEntry, 'AuditList')

export function auditRoutes({ store, cursors }: Context): readonly Route[] {
  return [
    route({
      method: 'get',
      path: '/v1/operator/audit',
      operationId: 'listAudit',
      tag: 'Operator',
      summary: 'Who did what, when, newest first',
      description: 'Entries are only ever added.',
      callers: ['operator'],
      query: PageQuery,
      answers: { 200: { description: 'A page of entries', schema: AuditList } },
      async handle({ query }) {
        const name = { list: 'audit' }
        const { position, limit } = pageOf<[string]>(cursors, query, name)
        const page = await store.audit.list(position?.[0] ?? null, limit)
        return pageAnswer(cursors, page, name, present, ({ id }) => [id])
      },
    }),
  ]
}

function present({ id, actor, action, target, details, createdAt }: AuditRow) {
  return { id, actor, action, target, details, createdAt: time(createdAt) }
}
