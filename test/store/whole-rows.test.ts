import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { newAgent, newPlatform, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const client = new pg.Client({ connectionString: at.database.url })
await client.connect()
afterAll(() => client.end())

const DAY_S = 86_400

/** More events than a profile remembers, each with all that a platform may say of it. */
function eventsWithAllFields() {
  const now = Date.now()
  return Array.from({ length: 100 }, (_, i) => ({
    type: 'task.completed' as const,
    data: { duration: 1_000 + i, counterparty: `customer ${i}`, taskClass: 'translation' },
    externalId: `order-${i}`,
    occurredAt: new Date(now - ((i * 7_919) % DAY_S) * 1_000).toISOString(),
  }))
}

test('the state of an agent of which much is reported is written whole: nothing compresses it at each event', async () => {
  const { agent } = await newAgent(at)
  for (let i = 0; i < 3; i++) {
    const { client: platform } = await newPlatform(at)
    await platform.events.report(agent.id, eventsWithAllFields())
  }
  const { rows } = await client.query(
    `select pg_column_size(s.*) > 2048 as is_large, pg_column_compression(profile) as profile,
       pg_column_compression(evidence) as evidence, pg_relation_size(c.reltoastrelid)::int as elsewhere
     from agent_states s, pg_class c where s.agent_id = $1 and c.oid = 'agent_states'::regclass`,
    [agent.id],
  )
  expect(rows).toEqual([{ is_large: true, profile: null, evidence: null, elsewhere: 0 }])
})
