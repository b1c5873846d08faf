import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { openVault } from '../../src/startup/root-key.ts'
import { createPool } from '../../src/store/postgres/pool.ts'
import { createPostgresStore } from '../../src/store/postgres/store.ts'

type Json = Record<string, unknown>

/** The service's own signing key: what a forger cannot have, and a test may, who knows the secret. */
export async function signingKeyOf(
  databaseUrl: string,
  secretKey: string,
  purpose = 'credentials',
): Promise<KeyObject> {
  const pool = createPool({ url: databaseUrl }, { max: 1 })
  const { rows } = await pool.query<{ kid: string; sealed_private: Buffer }>(
    'select kid, sealed_private from signing_keys where retired_at is null and purpose = $1',
    [purpose],
  )
  const vault = await openVault(createPostgresStore(pool), Buffer.from(secretKey, 'base64'))
  await pool.end()
  const [row] = rows
  if (!row) {
    throw new Error('no key is in force')
  }
  const jwk = vault.open(row.sealed_private, `signing key ${row.kid}`)
  return createPrivateKey({ key: JSON.parse(Buffer.from(jwk).toString()), format: 'jwk' })
}

export function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString(
    'base64url',
  )
}

export function partsOf(jwt: string): { header: Json; payload: Json; signature: Buffer } {
  const [header = '', payload = '', signature = ''] = jwt.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Json
  return {
    header: read(header),
    payload: read(payload),
    signature: Buffer.from(signature, 'base64url'),
  }
}

export function signed(header: unknown, payload: unknown, key: KeyObject): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}
