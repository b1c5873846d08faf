import type { IdempotencyStore, StoredResponse } from '../idempotency.ts'
import { columns, expectRows } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  scope: Buffer
  fingerprint: Buffer
  sealed: Buffer
  expires_at: number
}

export function idempotencyStore(sql: Sql): IdempotencyStore {
  return {
    async reserve(scope, now) {
      const [isReserved] = (await tryReserve(sql, [scope])).values()
      if (!isReserved) {
        return 'busy'
      }
      await sql('delete from stored_responses where scope = $1 and expires_at <= $2', [scope, now])
      return (await findStoredResponses(sql, [scope]))[0] ?? null
    },
    store: (response) => insertStoredResponses(sql, [response]),
  }
}

/**
 * Reserves each key for this transaction, or finds it reserved by another: two requests with one key
 * never run at the same time, on any number of nodes. `findStoredResponses` follows in a statement of
 * its own, which then sees what the last transaction with the key committed.
 */
export async function tryReserve(
  sql: Sql,
  scopes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, boolean>> {
  if (scopes.length === 0) {
    return new Map()
  }
  const rows = await sql<{ scope: Buffer; reserved: boolean }>(
    `select scope, pg_try_advisory_xact_lock(key) as reserved
     from unnest($1::bytea[], $2::bigint[]) as t(scope, key)`,
    columns(
      scopes,
      (scope) => scope,
      (scope) => lockKey(scope),
    ),
  )
  return new Map(rows.map((row) => [row.scope.toString('hex'), row.reserved]))
}

export async function findStoredResponses(
  sql: Sql,
  scopes: readonly Uint8Array[],
): Promise<readonly StoredResponse[]> {
  if (scopes.length === 0) {
    return []
  }
  const rows = await sql<Row>(
    'select scope, fingerprint, sealed, expires_at from stored_responses where scope = any($1::bytea[])',
    [scopes],
  )
  return rows.map((row) => ({
    scope: row.scope,
    fingerprint: row.fingerprint,
    sealed: row.sealed,
    expiresAt: row.expires_at,
  }))
}

/**
 * Stores them under keys that this transaction has reserved. One whose time is over is replaced; without
 * `replaces` any that is there is an error.
 */
export async function insertStoredResponses(
  sql: Sql,
  responses: readonly StoredResponse[],
  { replaces = true }: { readonly replaces?: boolean } = {},
): Promise<void> {
  if (responses.length === 0) {
    return
  }
  const written = await sql.written(
    replaces ? `${INSERT} ${REPLACE}` : INSERT,
    columns(
      responses,
      (r) => r.scope,
      (r) => r.fingerprint,
      (r) => r.sealed,
      (r) => r.expiresAt,
    ),
  )
  expectRows('stored responses', written, responses.length)
}

const INSERT = `insert into stored_responses (scope, fingerprint, sealed, expires_at)
  select * from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[])`

const REPLACE = `on conflict (scope) do update
  set fingerprint = excluded.fingerprint, sealed = excluded.sealed, expires_at = excluded.expires_at`

/** The first eight bytes of a keyed hash, as the number of an advisory lock. */
export function lockKey(scope: Uint8Array): string {
  return new DataView(scope.buffer, scope.byteOffset, scope.byteLength).getBigInt64(0).toString()
}
