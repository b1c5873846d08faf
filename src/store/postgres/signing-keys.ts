import type { SigningKeyRow, SigningKeyStore } from '../signing-keys.ts'
import type { Session } from './session.ts'

interface Row {
  kid: string
  purpose: string
  public_jwk: { x: string }
  sealed_private: Buffer
  created_at: number
  retired_at: number | null
  revoked_at: number | null
}

const COLUMNS = 'kid, purpose, public_jwk, sealed_private, created_at, retired_at, revoked_at'

/** A change is published: nodes cache the keys of sign-ins. */
const CHANGED = { kind: 'signing_keys' } as const

export function signingKeyStore({ sql, changed }: Session): SigningKeyStore {
  return {
    async list(purpose) {
      const rows = await sql<Row>(
        `select ${COLUMNS} from signing_keys where purpose = $1
         order by retired_at desc nulls first, created_at desc`,
        [purpose],
      )
      return rows.map(toKey)
    },
    async insert({ kid, purpose, publicKey, sealedPrivate, createdAt, retiredAt, revokedAt }) {
      const jwk = JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: publicKey })
      const rows = await sql(
        `insert into signing_keys (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7)
         on conflict do nothing returning kid`,
        [kid, purpose, jwk, sealedPrivate, createdAt, retiredAt, revokedAt],
      )
      await changed(CHANGED)
      return rows.length === 1
    },
    async end(kid, how, at) {
      const column = how === 'retire' ? 'retired_at' : 'revoked_at'
      const written = await sql.written(
        `update signing_keys set ${column} = $2 where kid = $1 and ${column} is null`,
        [kid, at],
      )
      await changed(CHANGED)
      return written === 1
    },
  }
}

function toKey(row: Row): SigningKeyRow {
  return {
    kid: row.kid,
    purpose: row.purpose,
    publicKey: row.public_jwk.x,
    sealedPrivate: row.sealed_private,
    createdAt: row.created_at,
    retiredAt: row.retired_at,
    revokedAt: row.revoked_at,
  }
}
