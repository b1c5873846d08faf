import { type IdempotencyStore, STORED_RESPONSE_TTL_MS, type StoredResponse } from '../store.ts'
import { columns, expectRows } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  scope: Buffer
  fingerprint: Buffer
  sealed: Buffer
  expires_at: number
}

/** Some tens of milliseconds of work; whoever sweeps asks again. */
const SWEPT_MAX = 1_000

export function idempotencyStore(sql: Sql): IdempotencyStore {
  return {
    async reserve(scope, now) {
      const [held] = (await tryReserve(sql, [scope])).values()
      if (!held) {
        return 'busy'
      }
      await sql('delete from idempotency where scope = $1 and expires_at <= $2', [scope, now])
      return (await findStoredResponses(sql, [scope]))[0] ?? null
    },
    store: (response) => insertStoredResponses(sql, [response]),
    sweep: (now) =>
      sql.written(
        `delete from idempotency where scope = any(array(
           select scope from idempotency where expires_at <= $1 order by expires_at limit $2))`,
        [now, SWEPT_MAX],
      ),
  }
}

/**
 * Takes each key for this transaction, or finds that another has it: two requests with one key never
 * run side by side, on any number of nodes. To be followed by `findKept` in a statement of its own,
 * which then sees what the last holder committed.
 */
export async function tryReserve(
  sql: Sql,
  scopes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, boolean>> {
  if (scopes.length === 0) {
    return new Map()
  }
  const rows = await sql<{ scope: Buffer; held: boolean }>(
    `select scope, pg_try_advisory_xact_lock(key) as held
     from unnest($1::bytea[], $2::bigint[]) as t(scope, key)`,
    columns(
      scopes,
      (scope) => scope,
      (scope) => lockKey(scope),
    ),
  )
  return new Map(rows.map((row) => [row.scope.toString('hex'), row.held]))
}

export async function findStoredResponses(
  sql: Sql,
  scopes: readonly Uint8Array[],
): Promise<readonly StoredResponse[]> {
  if (scopes.length === 0) {
    return []
  }
  const rows = await sql<Row>(
    'select scope, fingerprint, sealed, expires_at from idempotency where scope = any($1::bytea[])',
    [scopes],
  )
  return rows.map((row) => ({
    scope: row.scope,
    fingerprint: row.fingerprint,
    sealed: row.sealed,
    expiresAt: row.expires_at,
  }))
}

export async function insertStoredResponses(
  sql: Sql,
  responses: readonly StoredResponse[],
): Promise<void> {
  if (responses.length === 0) {
    return
  }
  const written = await sql.written(
    `insert into idempotency (scope, fingerprint, sealed, expires_at)
     select * from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[])
     on conflict (scope) do update
       set fingerprint = excluded.fingerprint, sealed = excluded.sealed,
         expires_at = excluded.expires_at
       where idempotency.expires_at <= excluded.expires_at - ${STORED_RESPONSE_TTL_MS}`,
    columns(
      responses,
      (r) => r.scope,
      (r) => r.fingerprint,
      (r) => r.sealed,
      (r) => r.expiresAt,
    ),
  )
  expectRows('kept responses', written, responses.length)
}

/** The first eight bytes of a keyed hash, as the number PostgreSQL locks by. */
export function lockKey(scope: Uint8Array): string {
  return new DataView(scope.buffer, scope.byteOffset, scope.byteLength).getBigInt64(0).toString()
}
