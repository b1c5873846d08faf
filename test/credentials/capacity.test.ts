import { afterAll, expect, test } from 'vitest'
import { LIVING_MAX } from '../../src/credentials/issue.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { eventually } from '../support/eventually.ts'
import { partsOf } from '../support/forge.ts'
import { lockAgent } from '../support/hold-locks.ts'
import { refusal } from '../support/http.ts'
import { newAgent, startService } from '../support/service.ts'

const at = await startService({ STANDING_RATE_LIMITS: 'off' })
const pool = createPool({ url: at.database.url }, { max: 2 })
afterAll(() => pool.end())

const AUDIT = { type: 'Audit', claims: {} }

/** Statements of the pool have a time limit, which a busy machine reaches with more. */
const COPIES_PER_STATEMENT = 5_000

/** Copies of a credential at these places of its list, but for those that are taken. */
async function copies(id: string, from: number, count: number): Promise<void> {
  for (let done = 0; done < count; done += COPIES_PER_STATEMENT) {
    await copySome(id, from + done, Math.min(COPIES_PER_STATEMENT, count - done))
  }
}

async function copySome(id: string, from: number, count: number): Promise<void> {
  await pool.query(
    `insert into credentials (id, agent_id, owner_id, issuer_id, type, claims, issued_at,
       status_list, status_index, issuer, kid, signed_at, jwt)
     select gen_random_uuid(), agent_id, owner_id, issuer_id, type, claims, issued_at, status_list,
       place, issuer, kid, signed_at, ''
     from credentials, generate_series($2::int, $2 + $3 - 1) as place
     where id = $1 on conflict do nothing`,
    [id, from, count],
  )
}

function placeOf(jwt: string): string {
  const [entry] = partsOf(jwt).payload.credentialStatus as [{ id: string }]
  return entry.id
}

test('forty simultaneous credentials of one agent are all issued, without a wait for another agent', async () => {
  const [one, another] = [await newAgent(at), await newAgent(at)]
  // On a busy machine some wait for their turn longer than the service lets them, and are sent again.
  const issue = ({ agent, owner }: typeof one, i: number) =>
    owner.client
      .with({ retriesMax: 5 })
      .credentials.issue({ agentId: agent.id, type: `T${i}`, claims: {} })
  const unlock = await lockAgent(pool, one.agent.id)
  let done = 0
  const forty = Array.from({ length: 40 }, (_, i) => issue(one, i).then(() => done++))
  await issue(another, 0)
  expect(done).toBe(0)
  await unlock()
  await Promise.all(forty)
  const { data } = await one.owner.client.credentials.list({
    agentId: one.agent.id,
    limit: 100,
  })
  expect(new Set(data.map(({ type }) => type)).size).toBe(40)
})

test('sixteen credentials issued at once on two nodes have sixteen indexes', async () => {
  const { agent, owner } = await newAgent(at)
  const { url } = await at.node()
  const nodes = [owner.client, owner.client.with({ baseUrl: url })]
  const issued = await Promise.all(
    Array.from({ length: 16 }, (_, i) =>
      nodes[i % 2]?.credentials.issue({ agentId: agent.id, ...AUDIT }),
    ),
  )
  const places = issued
    .map((one) => new URL(placeOf(one?.jwt ?? '')))
    .map(({ pathname, hash }) => pathname + hash)
  expect(new Set(places).size).toBe(16)
  // What the other node wrote arrives within milliseconds, not before its response.
  await eventually(async () => expect((await at.anyone.score.get(agent.id)).eventCount).toBe(16))
})

test('an agent has at most the maximum of active credentials, and a revocation makes room', async () => {
  const { agent, owner } = await newAgent(at)
  const { credentials } = owner.client
  const { id } = await credentials.issue({ agentId: agent.id, ...AUDIT })
  await copies(id, 0, LIVING_MAX + 200)
  const more = () => credentials.issue({ agentId: agent.id, ...AUDIT })
  expect(await refusal(more())).toMatchObject({
    code: 'FORBIDDEN',
    details: { limit: 'max_credentials', max: LIVING_MAX },
  })
  await pool.query('update credentials set revoked_at = 1 where agent_id = $1 and id <> $2', [
    agent.id,
    id,
  ])
  expect(await more()).toMatchObject({ status: 'active' })
})

test('a status list that is about half full is followed by the next', async () => {
  const { agent, owner } = await newAgent(at)
  const { credentials } = owner.client
  const first = await credentials.issue({ agentId: agent.id, ...AUDIT })
  expect(placeOf(first.jwt)).toContain('/status-lists/1/')
  // What is copied is known to fit; to check and index it eighty thousand times takes long.
  for (const name of ['agent_id', 'owner_id', 'kid']) {
    await pool.query(`alter table credentials drop constraint credentials_${name}_fkey`)
  }
  await pool.query('drop index credentials_agent_id_id_idx')
  await copies(first.id, LIVING_MAX + 200, 80_000)
  const another = await newAgent(at, owner)
  const next = await credentials.issue({ agentId: another.agent.id, ...AUDIT })
  expect(placeOf(next.jwt)).toContain('/status-lists/2/')
  await credentials.revoke(first.id)
  for (const { jwt } of [first, next]) {
    const url = placeOf(jwt).split('#')[0] ?? ''
    expect((await fetch(url)).status).toBe(200)
  }
})
