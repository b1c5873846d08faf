import type { RouteSpecs } from '../../http/route.ts'
import { z } from '../../http/schema.ts'
import { JSON_LINES_TYPE } from '../caching.ts'
import { listOf, PageQuery } from '../paging.ts'
import { Id, Time } from '../wire.ts'

const Kind = z.string().openapi({ example: 'platform' })
const Name = z.string().openapi({ example: '01931b5a-90c4-7f02-a5d3-6c1e8f7b4a20' })

const AuditEntry = z
  .object({
    id: Id,
    actor: z.object({
      kind: Kind.openapi({ example: 'operator' }),
      id: Name.nullable(),
      name: z.string().nullable().openapi({
        example: 'alice',
        description: 'The name of an operator or of an API key; not part of the hash.',
      }),
    }),
    action: z.string().openapi({ example: 'platform.updated' }),
    target: z.object({ kind: Kind, id: Name }).nullable(),
    details: z.record(z.string(), z.unknown()).openapi({ example: { tier: 'growth' } }),
    createdAt: Time,
    number: z
      .int()
      .openapi({ description: 'The position in the chain: 1, 2, 3 and so on, without gaps.' }),
    hash: z.string().openapi({
      example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      description:
        'SHA-256 in hex of the JSON array of: the previous hash (empty for the first entry), number, ' +
        'id, actor kind, action, target kind and id, createdAt in milliseconds, commitment.',
    }),
    commitment: z.string().openapi({
      example: '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9',
      description: 'SHA-256 in hex of the JSON array of: salt, actor id, details.',
    }),
    salt: z.string().nullable().openapi({
      example: '0b1e7f3c-5d20-4c1c-9d5e-6a2f4b8c7d10',
      description:
        'Null for an entry whose actor id and details were erased with an owner or an agent.',
    }),
  })
  .openapi('AuditEntry')

/** Entries in one export: a few megabytes. */
export const EXPORT_MAX = 10_000

const ExportQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the number of an entry')
    .transform(Number)
    .optional()
    .openapi({
      type: 'integer',
      description:
        'The number of the last entry of the previous export. Defaults to the beginning.',
    }),
})

export const AUDIT_SPECS = {
  listAudit: {
    method: 'get',
    path: '/v1/operator/audit',
    tag: 'Operator',
    summary: 'List the audit log, newest first',
    description:
      'Operator only. Returns who did what and when. Entries are never changed, except that an erasure ' +
      'removes the actor’s id and the details from those about the person or the agent, and that the ' +
      'operator can have old entries deleted (`STANDING_RETENTION`).',
    callers: ['operator'],
    query: PageQuery,
    responses: {
      200: { description: 'A page of entries', schema: listOf(AuditEntry, 'AuditList') },
    },
  },
  exportAudit: {
    method: 'get',
    path: '/v1/operator/audit/export',
    tag: 'Operator',
    summary: 'Export the audit log as JSON lines, oldest first',
    description:
      `Operator only. Returns up to ${EXPORT_MAX} entries; for more, call it again with \`after\` ` +
      'until it returns none.',
    callers: ['operator'],
    query: ExportQuery,
    responses: {
      200: {
        description: 'One `AuditEntry` per line',
        schema: z.string(),
        contentType: JSON_LINES_TYPE,
      },
    },
  },
} as const satisfies RouteSpecs
