import type { Credential } from '../../domain/credential.ts'
import type { CredentialStore, Revocation, RevocationTarget } from '../credentials.ts'
import type { IngestView } from '../ingest.ts'
import { columns, expectRows, first, ID_MAX, isTest, page } from './rows.ts'
import type { Sql } from './sql.ts'

interface Row {
  id: string
  agent_id: string
  owner_id: string
  issuer_id: string | null
  type: string
  claims: Record<string, unknown>
  minimum_score: number | null
  issued_at: number
  expires_at: number | null
  revoked_at: number | null
  revocation_reason: string | null
  status_list: number
  status_index: number
  issuer: string
  kid: string
  signed_at: number
  jwt: string
}

const COLUMNS = `id, agent_id, owner_id, issuer_id, type, claims, minimum_score, issued_at, expires_at,
  revoked_at, revocation_reason, status_list, status_index, issuer, kid, signed_at, jwt`

/** Neither revoked nor, at the time $2, expired. */
const LIVING = 'revoked_at is null and (expires_at is null or expires_at > $2)'

export function credentialStore(sql: Sql): CredentialStore {
  const many = async (text: string, values: readonly unknown[]) =>
    (await sql<Row>(text, values)).map(toCredential)
  return {
    insert: (credential) => insert(sql, credential),
    async find(id) {
      return first(await many(`select ${COLUMNS} from credentials where id = $1`, [id]))
    },
    async list(agentId, { status, asOf, before, limit }) {
      const rows = await many(
        `select ${COLUMNS} from credentials
         where agent_id = $1 and id < coalesce($3::uuid, '${ID_MAX}')
           and case $4
             when 'active' then (revoked_at is null or revoked_at > $2)
               and (expires_at is null or expires_at > $2)
             when 'expired' then (revoked_at is null or revoked_at > $2) and expires_at <= $2
             when 'revoked' then revoked_at <= $2
             else true end
         order by id desc limit $5`,
        [agentId, asOf, before, status ?? 'any', limit + 1],
      )
      return page(rows, limit)
    },
    async countLiving(agentId, now, max) {
      const rows = await sql<{ count: number }>(
        `select count(*)::int as count from
           (select from credentials where agent_id = $1 and ${LIVING} limit $3) as living`,
        [agentId, now, max],
      )
      return rows[0]?.count ?? 0
    },
    async freeIndexes(indexes) {
      const rows = await sql<{ list: number; free: number[] }>(
        `select list, array(
           select t.index from unnest($1::int[]) as t(index)
           where not exists (
             select from credentials where status_list = list and status_index = t.index)) as free
         from (select coalesce(max(status_list), 1) as list from credentials) as latest`,
        [indexes],
      )
      return rows[0] ?? { list: 1, free: [] }
    },
    revoke: (target, by) => revoke(sql, target, by),
    bits: (list, purpose) => bits(sql, list, purpose),
    signedOtherwise: ({ issuer, kid }, now, limit) =>
      many(
        `select ${COLUMNS} from credentials
         where (kid <> $1 or issuer <> $3) and ${LIVING} and not ${isTest('id')} order by id limit $4 for update`,
        [kid, now, issuer, limit],
      ),
    async saveSignatures(signatures) {
      const rows = await sql(
        `update credentials c set issuer = t.issuer, kid = t.kid, signed_at = t.signed_at, jwt = t.jwt
         from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[])
           as t(id, issuer, kid, signed_at, jwt)
         where c.id = t.id returning c.id`,
        columns(
          signatures,
          (s) => s.id,
          (s) => s.signature.issuer,
          (s) => s.signature.kid,
          (s) => s.signature.signedAt,
          (s) => s.signature.jwt,
        ),
      )
      expectRows('signatures', rows.length, signatures.length)
    },
  }
}

async function insert(sql: Sql, credential: Credential): Promise<void> {
  const { place, signature } = credential
  await sql(
    `insert into credentials (${COLUMNS})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      credential.id,
      credential.agentId,
      credential.ownerId,
      credential.issuerId,
      credential.type,
      JSON.stringify(credential.claims),
      credential.minimumScore,
      credential.issuedAt,
      credential.expiresAt,
      credential.revokedAt,
      credential.revocationReason,
      place.list,
      place.index,
      signature.issuer,
      signature.kid,
      signature.signedAt,
      signature.jwt,
    ],
  )
  if (credential.minimumScore === null) {
    return
  }
  const written = await sql.written(
    `update agent_states set credential_floor = greatest(credential_floor, $2), version = version + 1
     where agent_id = $1`,
    [credential.agentId, credential.minimumScore],
  )
  expectRows('credential floor', written, 1)
}

async function revoke(
  sql: Sql,
  target: RevocationTarget,
  { at, reason }: Revocation,
): Promise<readonly Credential[]> {
  const [where, values] = targeted(target)
  const rows = await sql<Row>(
    `update credentials set revoked_at = $2, revocation_reason = $3
     where ${where} returning ${COLUMNS}`,
    [...values.slice(0, 1), at, reason, ...values.slice(1)],
  )
  const agentId = 'id' in target ? rows[0]?.agent_id : target.agentId
  if (agentId !== undefined) {
    await setFloor(sql, agentId, at)
  }
  return rows.map(toCredential)
}

/** The condition for a target, with its values: `$1`, and those from `$4` on. */
function targeted(target: RevocationTarget): readonly [string, readonly unknown[]] {
  if ('id' in target) {
    return ['id = $1 and revoked_at is null', [target.id]]
  }
  const { agentId, above } = target
  return above === undefined
    ? [`agent_id = $1 and ${LIVING}`, [agentId]]
    : [`agent_id = $1 and minimum_score > $4 and ${LIVING}`, [agentId, above]]
}

/** Sets the agent's credential floor to what its score credentials in force claim. */
async function setFloor(sql: Sql, agentId: string, at: number): Promise<void> {
  await sql(
    `update agent_states set credential_floor = coalesce((
       select max(minimum_score) from credentials
       where agent_id = $1 and minimum_score is not null and ${LIVING}), 0), version = version + 1
     where agent_id = $1`,
    [agentId, at],
  )
}

interface NamedColumns {
  id: string
  agent_id: string
  type: string
  expires_at: number | null
}

/** Those of these credentials that are not revoked, with the fields that a report is checked against. */
export async function findNamedCredentials(
  sql: Sql,
  ids: readonly string[],
): Promise<IngestView['credentials']> {
  if (ids.length === 0) {
    return new Map()
  }
  const rows = await sql<NamedColumns>(
    `select id, agent_id, type, expires_at from credentials
     where id = any($1::uuid[]) and revoked_at is null`,
    [ids],
  )
  return new Map(
    rows.map((row) => [
      row.id,
      { agentId: row.agent_id, type: row.type, expiresAt: row.expires_at },
    ]),
  )
}

const BITS = {
  revocation:
    'select status_index from credentials where status_list = $1 and revoked_at is not null',
  suspension: `select status_index from agent_states s join credentials c using (agent_id)
    where s.status = 'suspended' and c.status_list = $1 and c.revoked_at is null`,
} as const

async function bits(sql: Sql, list: number, purpose: keyof typeof BITS) {
  const rows = await sql<{ status_index: number }>(BITS[purpose], [list])
  if (rows.length > 0) {
    return rows.map(({ status_index }) => status_index)
  }
  const [any] = await sql('select from credentials where status_list = $1 limit 1', [list])
  return any ? [] : null
}

function toCredential(row: Row): Credential {
  return {
    id: row.id,
    agentId: row.agent_id,
    ownerId: row.owner_id,
    issuerId: row.issuer_id,
    type: row.type,
    claims: row.claims,
    minimumScore: row.minimum_score,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    revocationReason: row.revocation_reason,
    place: { list: row.status_list, index: row.status_index },
    signature: {
      issuer: row.issuer,
      kid: row.kid,
      signedAt: row.signed_at,
      jwt: row.jwt,
    },
  }
}
