import type { Sql } from './sql.ts'

/** Where nodes tell each other what they changed. */
export const CHANNEL = 'standing'

/** `callers`: rights that the authenticator remembers; `scores`: standings. */
export type ChangeKind = 'callers' | 'scores'

/** As many UUIDs as go into a notification, which must stay below 8,000 bytes. */
const IDS_MAX = 200

/**
 * Tells every node what the transaction changes, once it has committed and only then. Such commits
 * wait for one another in the database, so one notification names all there is to name.
 */
export async function tellChange(
  sql: Sql,
  kind: ChangeKind,
  ids: readonly string[],
): Promise<void> {
  for (let from = 0; from < ids.length; from += IDS_MAX)
    await sql('select pg_notify($1, $2)', [
      CHANNEL,
      `${kind} ${ids.slice(from, from + IDS_MAX).join(',')}`,
    ])
}
