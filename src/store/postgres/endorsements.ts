import type { Endorsement } from '../../fraud/endorsements.ts'
import type { IngestScope } from '../ingest.ts'
import { binaryArraysOf } from './binary-arrays.ts'
import { columns, type RowsWrite, rowsWrite } from './rows.ts'
import type { Sql } from './sql.ts'

/** Between the owners $1 and the owners of the agents $2. */
export const ENDORSEMENTS = `with pairs as (
    select distinct t.owner_id as reporter, s.owner_id as subject
    from unnest($1::uuid[], $2::uuid[]) as t(owner_id, agent_id)
    join agent_states s on s.agent_id = t.agent_id)
  select e.from_owner, e.to_owner from pairs p
  join endorsements e on e.from_owner = p.reporter and e.to_owner = p.subject
  union
  select e.from_owner, e.to_owner from pairs p
  join endorsements e on e.from_owner = p.subject and e.to_owner = p.reporter`

/** Which of the reporting owners and of the agents' owners reported on each other's agents. */
export async function readEndorsements(
  sql: Sql,
  endorsers: IngestScope['endorsers'],
): Promise<readonly Endorsement[]> {
  if (endorsers.length === 0) {
    return []
  }
  return endorsementsOf(
    sql,
    ENDORSEMENTS,
    columns(
      endorsers,
      ({ ownerId }) => ownerId,
      ({ agentId }) => agentId,
    ),
  )
}

/** Who reports on whose agents. */
export function ownerPairs(
  { endorsers }: Pick<IngestScope, 'endorsers'>,
  ownerOf: (agentId: string) => string | undefined,
): readonly Endorsement[] {
  return endorsers.flatMap(({ ownerId, agentId }) => {
    const toOwner = ownerOf(agentId)
    return toOwner === undefined ? [] : [{ fromOwner: ownerId, toOwner }]
  })
}

/** Those of these pairs, and of the same the other way round, that are there. */
export async function readEndorsementsBetween(
  sql: Sql,
  pairs: readonly Endorsement[],
): Promise<readonly Endorsement[]> {
  if (pairs.length === 0) {
    return []
  }
  return endorsementsOf(
    sql,
    `select from_owner, to_owner from endorsements
     where (from_owner, to_owner) in (
       select * from unnest($1::uuid[], $2::uuid[])
       union select * from unnest($2::uuid[], $1::uuid[]))`,
    columns(
      pairs,
      (pair) => pair.fromOwner,
      (pair) => pair.toOwner,
    ),
  )
}

async function endorsementsOf(
  sql: Sql,
  text: string,
  values: readonly unknown[],
): Promise<readonly Endorsement[]> {
  const rows = await sql<{ from_owner: string; to_owner: string }>(text, values)
  return rows.map((row) => ({ fromOwner: row.from_owner, toOwner: row.to_owner }))
}

export async function saveEndorsements(
  sql: Sql,
  endorsements: readonly Endorsement[],
): Promise<void> {
  if (endorsements.length > 0) {
    const write = endorsementRows(endorsements)
    await sql.written(write.text, binaryArraysOf(write))
  }
}

export function endorsementRows(endorsements: readonly Endorsement[]): RowsWrite {
  return rowsWrite(SAVE_ENDORSEMENTS, endorsements, [(v) => v.fromOwner, (v) => v.toOwner])
}

const SAVE_ENDORSEMENTS = `insert into endorsements (from_owner, to_owner)
  select * from unnest($1::uuid[], $2::uuid[]) as t(from_owner, to_owner) order by 1, 2
  on conflict do nothing`
