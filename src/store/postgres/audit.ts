import { randomUUID } from 'node:crypto'
import type { AuditStore, ChainedRow } from '../audit.ts'
import { chainHash, commitmentTo, NO_HASH } from './audit-chain.ts'
import { columns, expectRows, first, NUMBER_MAX, page } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { hex, json, nested, readerOf, tableOf } from './table.ts'

const AUDIT = tableOf<ChainedRow>('audit', {
  id: 'id',
  actor: nested({ kind: 'actor_kind', id: 'actor_id' }),
  action: 'action',
  target: nested({ kind: 'target_kind', id: 'target_id' }),
  details: json('details'),
  createdAt: 'created_at',
  number: 'number',
  hash: hex('hash'),
  commitment: hex('commitment'),
  salt: 'salt',
})

const COLUMNS = AUDIT.columns

const LISTS = {
  newestFirst: `select ${COLUMNS} from audit where number < coalesce($1::bigint, ${NUMBER_MAX})
    order by number desc limit $2`,
  oldestFirst: `select ${COLUMNS} from audit where number > coalesce($1::bigint, 0)
    order by number limit $2`,
}

/** The advisory lock of the chain: any number that no other lock has. */
const CHAIN_LOCK = 7_382_016_456

export function auditStore({ sql, lagging }: Session): AuditStore {
  return {
    async insertAll(rows) {
      if (rows.length === 0) {
        return
      }
      // One writer at a time, until its commit: each entry names the hash of the one before it.
      await sql('select pg_advisory_xact_lock($1)', [CHAIN_LOCK])
      const last = first(
        await sql<{ number: number; hash: Buffer }>(
          'select number, hash from audit order by number desc limit 1',
        ),
      )
      let number = last?.number ?? 0
      let hash = last?.hash.toString('hex') ?? NO_HASH
      const chained = rows.map((row): ChainedRow => {
        number += 1
        const salt = randomUUID()
        const committed = { ...row, number, salt, commitment: commitmentTo(row, salt) }
        hash = chainHash(hash, committed)
        return { ...committed, hash }
      })
      await insertChained(sql, chained)
    },
    async list(order, after, limit) {
      const rows = await readerOf(lagging, AUDIT).all(LISTS[order], [after, limit + 1])
      return page(rows, limit)
    },
    async prune(before, limit) {
      await sql('select pg_advisory_xact_lock($1)', [CHAIN_LOCK])
      const rows = await sql<{ number: number; hash: Buffer }>(
        `with part as (
           select number, created_at from audit
           where number < (select max(number) from audit) order by number limit $2
         ), kept as (
           select min(number) as number from part where created_at >= $1
         )
         delete from audit a using part, kept
         where a.number = part.number and part.number < coalesce(kept.number, part.number + 1)
         returning a.number, a.hash`,
        [before, limit],
      )
      const last = first([...rows].sort((a, b) => b.number - a.number))
      const checkpoint = last && { number: last.number, hash: last.hash.toString('hex') }
      return { removed: rows.length, checkpoint }
    },
  }
}

async function insertChained(sql: Sql, rows: readonly ChainedRow[]): Promise<void> {
  const written = await sql.written(
    `insert into audit (${COLUMNS})
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
       $7::json[], $8::bigint[], $9::bigint[], $10::bytea[], $11::bytea[], $12::uuid[])`,
    columns(
      rows,
      (row) => row.id,
      (row) => row.actor.kind,
      (row) => row.actor.id,
      (row) => row.action,
      (row) => row.target?.kind ?? null,
      (row) => row.target?.id ?? null,
      (row) => JSON.stringify(row.details),
      (row) => row.createdAt,
      (row) => row.number,
      (row) => Buffer.from(row.hash, 'hex'),
      (row) => Buffer.from(row.commitment, 'hex'),
      (row) => row.salt,
    ),
  )
  expectRows('audit', written, rows.length)
}
