import { isTestId } from '../../domain/mode.ts'
import type { TestDataStore } from '../test-data.ts'
import { deleteSettings } from './account-settings.ts'
import { first } from './rows.ts'
import type { Session } from './session.ts'

/** The tables with a row for an agent; those that refer to others come first. */
const OF_AGENT = [
  'delegation_tasks',
  'identifiers',
  'credentials',
  'watches',
  'agent_status_changes',
  'events',
  'archived_events',
  'checkpoints',
  'quarantined_evidence',
  'external_ids',
  'report_responses',
  'snapshots',
  'thinned_snapshots',
  'remembered_agents',
  'agent_states',
] as const

/** The tables with a row for a platform. */
const OF_PLATFORM = [
  'discards',
  'platform_hours',
  'reporters',
  'work_stats',
  'mappings',
  'remembered_agents',
  'decisions',
] as const

export function testDataStore(session: Session): TestDataStore {
  const { sql, changed } = session
  return {
    async deleteNextAgent(accountId) {
      // The newest first: it may refer to the one that it replaced. The state is locked as reports lock it.
      const found = first(
        await sql<{ id: string }>(
          'select id from agents where owner_id = $1 order by id desc limit 1',
          [testId(accountId)],
        ),
      )
      if (!found) {
        return false
      }
      const { id } = found
      await sql('select from agent_states where agent_id = $1 for update', [id])
      const names = await sql<{ value: string }>(
        'select distinct value from identifiers where agent_id = $1',
        [id],
      )
      await sql('delete from notifications where agent_id = $1 and owner_id = $2', [id, accountId])
      await sql('delete from api_keys where principal_id = $1', [id])
      for (const table of OF_AGENT) {
        await sql(`delete from ${table} where agent_id = $1`, [id])
      }
      await sql('delete from agents where id = $1', [id])
      await changed({ kind: 'callers', ids: [id] })
      await changed({ kind: 'identifiers', ids: names.map(({ value }) => value) })
      return true
    },
    async deleteRest(accountId) {
      const platforms = await deleteTestPlatforms(session, accountId)
      const webhooks = await deleteSettings(session, 'owner', testId(accountId))
      return { platforms: platforms.length, webhooks }
    },
  }
}

/** The test platforms of a test account, with all that is theirs. Their ids. May run again. */
export async function deleteTestPlatforms(
  session: Session,
  accountId: string,
): Promise<readonly string[]> {
  const platforms = await session.sql<{ id: string }>(
    'select id from platforms where owner_id = $1 order by id',
    [testId(accountId)],
  )
  for (const { id } of platforms) {
    await deletePlatform(session, testId(id))
  }
  return platforms.map(({ id }) => id)
}

async function deletePlatform(session: Session, id: string): Promise<void> {
  const { sql, changed } = session
  await sql('delete from api_keys where principal_id = $1', [id])
  await deleteSettings(session, 'platform', id)
  for (const table of OF_PLATFORM) {
    await sql(`delete from ${table} where platform_id = $1`, [id])
  }
  await sql('delete from platforms where id = $1', [id])
  await changed({ kind: 'callers', ids: [id] })
}

/** A last check: these statements must never affect live data. */
function testId(id: string): string {
  if (!isTestId(id)) {
    throw new Error(`${id} is not an id of test data`)
  }
  return id
}
