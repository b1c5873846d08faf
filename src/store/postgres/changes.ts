import type { Sql } from './sql.ts'

/** Where nodes tell each other what they changed. */
export const CHANNEL = 'standing'

/** `callers`: rights that the authenticator remembers; `scores`: standings. */
export type ChangeKind = 'callers' | 'scores'

/** As many UUIDs as go into a notification, which must stay below 8,000 bytes. */
const IDS_MAX = 200

/**
 * Tells every node what the transaction changes, once it has committed and only then. Commits that
 * tell something wait for one another's disk, so this is for what is rare.
 */
export async function tellChange(
  sql: Sql,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<void> {
  for (const payload of payloads(kind, ids)) {
    await sql('select pg_notify($1, $2)', [CHANNEL, payload])
  }
}

/**
 * Tells every node what was committed just before. By itself, and without waiting for the disk, it
 * holds up nobody: inside the transaction of the events it took commits from three nodes to a third.
 */
export async function tellChanged(
  sql: Sql,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<void> {
  for (const payload of payloads(kind, ids)) {
    await sql(`select pg_notify($1, $2), set_config('synchronous_commit', 'off', true)`, [
      CHANNEL,
      payload,
    ])
  }
}

function payloads(kind: ChangeKind, ids: readonly string[]): readonly string[] {
  const parts = Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, i) =>
    ids.slice(i * IDS_MAX, (i + 1) * IDS_MAX),
  )
  return parts.map((part) => `${kind} ${part.join(',')}`)
}
