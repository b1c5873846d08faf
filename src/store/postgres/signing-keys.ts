import type { SigningKeyKey, SigningKeyRow, SigningKeyStore } from '../signing-keys.ts'
import { rowStore } from './row-store.ts'
import type { Session } from './session.ts'
import { tableOf } from './table.ts'

const SIGNING_KEYS = tableOf<SigningKeyRow>('signing_keys', {
  kid: 'kid',
  purpose: 'purpose',
  publicKey: {
    columns: (prefix) => `${prefix}public_jwk`,
    stored: (x) => [['public_jwk', JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x })]],
    read: ({ public_jwk: jwk }) => (jwk as { readonly x: string }).x,
  },
  sealedPrivate: 'sealed_private',
  createdAt: 'created_at',
  retiredAt: 'retired_at',
  revokedAt: 'revoked_at',
})

/** Nodes cache the keys of sign-ins. */
const CHANGED = { kind: 'signing_keys' } as const

const rowsIn = rowStore<SigningKeyRow, SigningKeyKey>(SIGNING_KEYS, {
  expectsDuplicates: true,
  order: 'retired_at desc nulls first, created_at desc, kid',
  change: () => CHANGED,
})

export function signingKeyStore(session: Session): SigningKeyStore {
  const rows = rowsIn(session)
  return {
    ...rows,
    async insert(key) {
      const isNew = await rows.insert(key)
      await session.changed(CHANGED)
      return isNew
    },
  }
}
