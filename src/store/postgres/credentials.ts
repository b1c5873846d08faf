import type { Credential, Signature } from '../../domain/credential.ts'
import type {
  CredentialStore,
  CredentialsOf,
  Revocation,
  RevocationTarget,
} from '../credentials.ts'
import type { IngestView } from '../ingest.ts'
import type { ById } from '../rows.ts'
import { rowStore } from './row-store.ts'
import { columns, countOf, expectRows, isTest, page } from './rows.ts'
import type { Session } from './session.ts'
import type { Sql } from './sql.ts'
import { json, nested, readerOf, tableOf } from './table.ts'

const CREDENTIALS = tableOf<Credential>('credentials', {
  id: 'id',
  agentId: 'agent_id',
  ownerId: 'owner_id',
  issuerId: 'issuer_id',
  type: 'type',
  claims: json('claims'),
  minimumScore: 'minimum_score',
  issuedAt: 'issued_at',
  expiresAt: 'expires_at',
  revokedAt: 'revoked_at',
  revocationReason: 'revocation_reason',
  place: nested({ list: 'status_list', index: 'status_index' }),
  signature: nested({ issuer: 'issuer', kid: 'kid', signedAt: 'signed_at', jwt: 'jwt' }),
})

const COLUMNS = CREDENTIALS.columns

/** Neither revoked nor, at the time $2, expired. */
const LIVING = 'revoked_at is null and (expires_at is null or expires_at > $2)'

const rowsIn = rowStore<Credential, ById, CredentialsOf>(CREDENTIALS, {
  list: {
    of: `agent_id = $1 and case $3
      when 'active' then (revoked_at is null or revoked_at > $2)
        and (expires_at is null or expires_at > $2)
      when 'expired' then (revoked_at is null or revoked_at > $2) and expires_at <= $2
      when 'revoked' then revoked_at <= $2
      else true end`,
    values: ({ agentId, asOf, status = 'any' }) => [agentId, asOf, status],
    order: 'id desc',
  },
})

export function credentialStore(session: Session): CredentialStore {
  const { sql } = session
  const rows = rowsIn(session)
  return {
    ...rows,
    async insert(credential) {
      const isNew = await rows.insert(credential)
      await raiseFloor(sql, credential)
      return isNew
    },
    count: ({ agentId, at, max }) =>
      countOf(
        sql,
        `select count(*)::int as count from
           (select from credentials where agent_id = $1 and ${LIVING} limit $3) as living`,
        [agentId, at, max],
      ),
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
    async resign(than, { now, limit }, sign) {
      const found = await signedOtherwise(sql, than, now, limit + 1)
      const { rows: credentials, more } = page(found, limit)
      const signatures = await Promise.all(
        credentials.map(async (credential) => ({ id: credential.id, ...(await sign(credential)) })),
      )
      await saveSignatures(sql, signatures)
      return { signed: signatures.length, more }
    },
  }
}

function signedOtherwise(
  sql: Sql,
  { issuer, kid }: Pick<Signature, 'issuer' | 'kid'>,
  now: number,
  limit: number,
): Promise<readonly Credential[]> {
  return readerOf(sql, CREDENTIALS).all(
    `select ${COLUMNS} from credentials
     where (kid <> $1 or issuer <> $3) and ${LIVING} and not ${isTest('id')} order by id limit $4 for update`,
    [kid, now, issuer, limit],
  )
}

async function saveSignatures(
  sql: Sql,
  signatures: readonly (Signature & { readonly id: string })[],
): Promise<void> {
  const written = await sql.written(
    `update credentials c set issuer = t.issuer, kid = t.kid, signed_at = t.signed_at, jwt = t.jwt
     from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::text[])
       as t(id, issuer, kid, signed_at, jwt)
     where c.id = t.id`,
    columns(
      signatures,
      (s) => s.id,
      (s) => s.issuer,
      (s) => s.kid,
      (s) => s.signedAt,
      (s) => s.jwt,
    ),
  )
  expectRows('signatures', written, signatures.length)
}

async function raiseFloor(sql: Sql, { agentId, minimumScore }: Credential): Promise<void> {
  if (minimumScore === null) {
    return
  }
  const written = await sql.written(
    `update agent_states set credential_floor = greatest(credential_floor, $2), version = version + 1
     where agent_id = $1`,
    [agentId, minimumScore],
  )
  expectRows('credential floor', written, 1)
}

async function revoke(
  sql: Sql,
  target: RevocationTarget,
  { at, reason }: Revocation,
): Promise<readonly Credential[]> {
  const [where, values] = targeted(target)
  const rows = await readerOf(sql, CREDENTIALS).all(
    `update credentials set revoked_at = $2, revocation_reason = $3
     where ${where} returning ${COLUMNS}`,
    [...values.slice(0, 1), at, reason, ...values.slice(1)],
  )
  const agentId = 'id' in target ? rows[0]?.agentId : target.agentId
  if (agentId !== undefined) {
    await setFloor(sql, agentId, at)
  }
  return rows
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
