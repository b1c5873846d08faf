import type { Identifier, ProofMethod, ProofProblem } from '../../domain/identifier.ts'
import type { IdentifierKey, IdentifierStore } from '../identifiers.ts'
import { expectRows, first, ID_MAX, isTest, locking, page } from './rows.ts'
import type { Session } from './session.ts'

interface Row {
  agent_id: string
  id: string
  type: Identifier['type']
  value: string
  status: Identifier['status']
  challenge: string
  proof_method: ProofMethod | null
  proof_key: string | null
  problem: ProofProblem | null
  failing_since: number | null
  created_at: number
  verified_at: number | null
  checked_at: number | null
  next_check_at: number | null
}

const COLUMNS = `agent_id, id, type, value, status, challenge, proof_method, proof_key, problem,
  failing_since, created_at, verified_at, checked_at, next_check_at`

const SELECT = `select ${COLUMNS} from identifiers`

const OF_TEST = isTest('agent_id')

export function identifierStore({ sql, changed }: Session): IdentifierStore {
  const publish = ({ value }: Identifier) => changed({ kind: 'identifiers', ids: [value] })
  return {
    async insert(identifier) {
      await sql(
        `insert into identifiers (${COLUMNS})
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
        values(identifier),
      )
      await publish(identifier)
    },
    async find(by, options) {
      const [where, values] = conditionOf(by)
      const row = first(await sql<Row>(`${SELECT} where ${where} ${locking(options)}`, values))
      return row && toIdentifier(row)
    },
    async list(agentId, { status, before, limit }) {
      const rows = await sql<Row>(
        `${SELECT} where agent_id = $1 and ($2::text is null or status = $2)
           and id < coalesce($3::uuid, '${ID_MAX}') order by id desc limit $4`,
        [agentId, status ?? null, before, limit + 1],
      )
      return page(rows.map(toIdentifier), limit)
    },
    async holders(values, mode) {
      const rows = await sql<{ value: string; holder: string | null }>(
        `select value, min(agent_id::text) filter (where status = 'verified') as holder
         from identifiers where value = any($1::text[]) and ${OF_TEST} = $2 group by value`,
        [values, mode === 'test'],
      )
      return new Map(rows.map(({ value, holder }) => [value, holder]))
    },
    async update(identifier) {
      const rows = await sql(
        `update identifiers set type = $3, value = $4, status = $5, challenge = $6,
           proof_method = $7, proof_key = $8, problem = $9, failing_since = $10, created_at = $11,
           verified_at = $12, checked_at = $13, next_check_at = $14
         where agent_id = $1 and id = $2 returning id`,
        values(identifier),
      )
      expectRows('identifier', rows.length, 1)
      await publish(identifier)
    },
    async delete(identifier) {
      const { agentId, id } = identifier
      const deleted = 'delete from identifiers where agent_id = $1 and id = $2 returning id'
      expectRows('identifier', (await sql(deleted, [agentId, id])).length, 1)
      await publish(identifier)
    },
    async move(fromAgentId, toAgentId) {
      const rows = await sql<{ value: string }>(
        'update identifiers set agent_id = $2 where agent_id = $1 returning value',
        [fromAgentId, toAgentId],
      )
      await changed({ kind: 'identifiers', ids: rows.map(({ value }) => value) })
    },
    async claimDue(now, until, limit) {
      const rows = await sql<Row>(
        `update identifiers set next_check_at = $2 where (agent_id, id) in (
           select agent_id, id from identifiers where status = 'verified' and next_check_at <= $1
           order by next_check_at limit $3 for update skip locked)
         returning ${COLUMNS}`,
        [now, until, limit],
      )
      return rows.map(toIdentifier)
    },
  }
}

function conditionOf(by: IdentifierKey): readonly [where: string, values: readonly unknown[]] {
  if ('id' in by) {
    return ['agent_id = $1 and id = $2', [by.agentId, by.id]]
  }
  return 'verified' in by
    ? [`value = $1 and status = 'verified' and ${OF_TEST} = $2`, [by.verified, by.mode === 'test']]
    : ['agent_id = $1 and type = $2 and value = $3', [by.agentId, by.type, by.value]]
}

function values(identifier: Identifier): unknown[] {
  const { problem, proof } = identifier
  return [
    identifier.agentId,
    identifier.id,
    identifier.type,
    identifier.value,
    identifier.status,
    identifier.challenge,
    proof?.method ?? null,
    proof?.keyId ?? null,
    problem && JSON.stringify(problem),
    identifier.failingSince,
    identifier.createdAt,
    identifier.verifiedAt,
    identifier.checkedAt,
    identifier.nextCheckAt,
  ]
}

function toIdentifier(row: Row): Identifier {
  return {
    id: row.id,
    agentId: row.agent_id,
    type: row.type,
    value: row.value,
    status: row.status,
    challenge: row.challenge,
    proof: row.proof_method === null ? null : { method: row.proof_method, keyId: row.proof_key },
    problem: row.problem,
    failingSince: row.failing_since,
    createdAt: row.created_at,
    verifiedAt: row.verified_at,
    checkedAt: row.checked_at,
    nextCheckAt: row.next_check_at,
  }
}
