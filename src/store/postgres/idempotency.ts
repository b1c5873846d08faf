import type {
  IdempotencyStore,
  ReportKey,
  ReportResponse,
  ResponseKey,
  StoredResponse,
} from '../idempotency.ts'
import { rowStore } from './row-store.ts'
import { columns, type RowsWrite, rowsWrite } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { readerOf, tableOf } from './table.ts'

const RESPONSE = {
  scope: 'scope',
  fingerprint: 'fingerprint',
  sealed: 'sealed',
  expiresAt: 'expires_at',
}

const RESPONSES = tableOf<StoredResponse>('stored_responses', RESPONSE)
const REPORT_RESPONSES = tableOf<StoredResponse>('report_responses', RESPONSE)

const rowsIn = rowStore<StoredResponse, ResponseKey>(RESPONSES, {})

export function idempotencyStore(session: Session): IdempotencyStore {
  const { sql } = session
  const rows = rowsIn(session)
  return {
    ...rows,
    async reserve(scope, now) {
      const [isReserved] = (await tryReserve(sql, [scope])).values()
      if (!isReserved) {
        return 'busy'
      }
      await sql('delete from stored_responses where scope = $1 and expires_at <= $2', [scope, now])
      return rows.find({ scope })
    },
  }
}

/**
 * Reserves each key for this transaction, or finds it reserved by another: two requests with one key
 * never run at the same time, on any number of nodes. What is stored under them is read in a statement of
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

export async function findReportResponses(
  sql: Sql,
  keys: readonly ReportKey[],
): Promise<readonly StoredResponse[]> {
  if (keys.length === 0) {
    return []
  }
  return readerOf(sql, REPORT_RESPONSES).all(
    `select ${REPORT_RESPONSES.columnsOf('r')}
     from unnest($1::uuid[], $2::bytea[]) as t(agent_id, scope)
     join report_responses r on r.agent_id = t.agent_id and r.scope = t.scope
     where r.agent_id = any($1::uuid[])`,
    columns(
      keys,
      (key) => key.agentId,
      (key) => key.scope,
    ),
  )
}

/** Under keys that the transaction has reserved. One that is there already is an error. */
export function responseRows(responses: readonly ReportResponse[]): RowsWrite {
  return rowsWrite(INSERT, responses, [
    (r) => r.agentId,
    (r) => r.scope,
    (r) => r.fingerprint,
    (r) => r.sealed,
    (r) => r.expiresAt,
  ])
}

const INSERT = `insert into report_responses (agent_id, scope, fingerprint, sealed, expires_at)
  select agent_id, scope, fingerprint, sealed, expires_at
  from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bigint[])
    as t(agent_id, scope, fingerprint, sealed, expires_at)`

/** The same, where the keys may have responses whose time is over: these are replaced. */
export function replacing(responses: RowsWrite): RowsWrite {
  return { ...responses, text: REPLACE }
}

const REPLACE = `${INSERT} on conflict (agent_id, scope) do update
  set fingerprint = excluded.fingerprint, sealed = excluded.sealed, expires_at = excluded.expires_at`

/** The first eight bytes of a keyed hash, as the number of an advisory lock. */
export function lockKey(scope: Uint8Array): string {
  return new DataView(scope.buffer, scope.byteOffset, scope.byteLength).getBigInt64(0).toString()
}
