import { isTestId } from '../../domain/mode.ts'
import { deleteSettings } from './account-settings.ts'
import type { Session } from './session.ts'
import { deleteTestPlatforms } from './test-data.ts'

interface Id {
  id: string
}

/** As in `src/store/erasures.ts`. Every statement may run again. */
export async function eraseAccount(
  session: Session,
  ownerId: string,
  now: number,
): Promise<readonly string[]> {
  const { sql, changed } = session
  // Mails are queued by address alone, so they go before the addresses.
  await sql(
    `delete from mail_queue where address in (
       select email from members where owner_id = $1
       union select email from invitations where owner_id = $1)`,
    [ownerId],
  )
  // Offers that the account made or was made, by its e-mail, which ends with it.
  await sql(
    `update transfers set to_email = null,
       status = case when status = 'pending' then 'withdrawn' else status end,
       ended_at = coalesce(ended_at, $2)
     where from_owner_id = $1 or to_owner_id = $1
       or to_email in (select email from owners where id = $1)`,
    [ownerId, now],
  )
  const gone = await Promise.all([
    // With a member go the sessions, the identities at the provider and the tokens of links.
    sql<Id>('delete from members where owner_id = $1 returning id', [ownerId]),
    sql<Id>('delete from owner_keys where owner_id = $1 returning id', [ownerId]),
    sql<Id>('delete from invitations where owner_id = $1 returning id', [ownerId]),
    // The rows stay for their deliveries.
    sql<Id>('select id from webhooks where owner_id = $1', [ownerId]),
  ])
  const ids = gone.flat().map(({ id }) => id)
  await sql('delete from api_keys where principal_id = any($1::uuid[])', [ids])
  await deleteSettings(session, 'owner', ownerId)
  const platforms = isTestId(ownerId) ? await deleteTestPlatforms(session, ownerId) : []
  // Every owner has an e-mail, and no two the same: the id takes its place.
  await sql(
    `update owners set email = id || '@erased.invalid', name = null, status = 'erased' where id = $1`,
    [ownerId],
  )
  await changed({ kind: 'callers', ids: [ownerId, ...ids] })
  return [...ids, ...platforms]
}

/** The name of an erased agent. */
const ERASED_NAME = 'Erased agent'

/** As in `src/store/erasures.ts`. */
export async function eraseAgent(
  { sql, changed }: Session,
  agentId: string,
  now: number,
): Promise<void> {
  await sql(
    `update agents set display_name = $2, metadata = '{}', has_public_profile = false,
       erased_at = coalesce(erased_at, $3)
     where id = $1`,
    [agentId, ERASED_NAME, now],
  )
  await sql('delete from api_keys where principal_id = $1', [agentId])
  await sql('delete from remembered_agents where agent_id = $1', [agentId])
  // Revoked before. The row stays, because its bit in the status list shows that it is revoked.
  await sql(`update credentials set claims = '{}', jwt = '' where agent_id = $1`, [agentId])
  const names = await sql<{ value: string }>(
    'delete from identifiers where agent_id = $1 returning value',
    [agentId],
  )
  await changed({ kind: 'callers', ids: [agentId] })
  await changed({ kind: 'identifiers', ids: names.map(({ value }) => value) })
}
