import type { Context } from '../../context.ts'
import type { Caller } from '../../domain/caller.ts'
import { ok } from '../../http/response.ts'
import { type Route, route } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import type { AuditRow, ChainedRow, Store } from '../../store/store.ts'
import { Id, listOf, PageQuery, pageAnswer, pageOf, Time, time } from '../wire.ts'

/** Writes down what a caller did, in the transaction that does it. */
export function audit(
  store: Store,
  context: Context,
  caller: Caller,
  action: string,
  target: AuditRow['target'],
  details: AuditRow['details'] = {},
): Promise<void> {
  return store.audit.insert([auditRow(context, caller, action, target, details)])
}

export function auditRow(
  { now, newId }: Context,
  caller: Caller,
  action: string,
  target: AuditRow['target'],
  details: AuditRow['details'] = {},
): AuditRow {
  return { id: newId(), actor: actorOf(caller), action, target, details, createdAt: now() }
}

function actorOf(caller: Caller): AuditRow['actor'] {
  const { kind } = caller
  switch (kind) {
    case 'anonymous':
      return { kind, id: caller.address }
    case 'owner':
      return { kind, id: caller.ownerId }
    case 'agent':
      return { kind, id: caller.agentId }
    case 'platform':
      return { kind, id: caller.platformId }
    case 'operator':
      return { kind, id: caller.operatorId }
  }
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
    number: z.int().openapi({ description: 'Its place in the chain: 1, 2, 3… without a gap.' }),
    hash: z.string().openapi({
      example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      description:
        'SHA-256, in hex, of the JSON array of: the hash before it (empty for the first), number, id, actor kind and id, action, target kind and id, details, createdAt in milliseconds.',
    }),
  })
  .openapi('AuditEntry')

const AuditList = listOf(AuditEntry, 'AuditList')

/** Lines of one export: some megabytes. */
const EXPORT_MAX = 10_000

const ExportQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the number of an entry')
    .transform(Number)
    .optional()
    .openapi({ type: 'integer', description: 'The number of the last entry had before.' }),
})

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
        const { position, limit } = pageOf<[number]>(cursors, query, name)
        const page = await store.audit.list(position?.[0] ?? null, limit)
        return pageAnswer(cursors, page, name, present, ({ number }) => [number])
      },
    }),
    route({
      method: 'get',
      path: '/v1/operator/audit/export',
      operationId: 'exportAudit',
      tag: 'Operator',
      summary: 'The same as JSON lines, oldest first',
      description: `Up to ${EXPORT_MAX} entries; for more, ask again with \`after\` until there are none.`,
      callers: ['operator'],
      query: ExportQuery,
      answers: {
        200: {
          description: 'One entry a line',
          schema: AuditEntry,
          contentType: 'application/x-ndjson',
        },
      },
      async handle({ query: { after = 0 } }) {
        const rows = await store.audit.chain(after, EXPORT_MAX)
        const lines = rows.map((row) => `${JSON.stringify(present(row))}\n`)
        return ok(lines.join(''), { 'content-type': 'application/x-ndjson; charset=utf-8' })
      },
    }),
  ]
}

function present({ createdAt, ...row }: ChainedRow) {
  const { id, actor, action, target, details, number, hash } = row
  return { id, actor, action, target, details, createdAt: time(createdAt), number, hash }
}
