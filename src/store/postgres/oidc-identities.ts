import type { OidcIdentity, OidcIdentityKey } from '../oidc-identities.ts'
import { rowStore } from './row-store.ts'
import { tableOf } from './table.ts'

const OIDC_IDENTITIES = tableOf<OidcIdentity>('oidc_identities', {
  issuer: 'issuer',
  subject: 'subject',
  memberId: 'member_id',
  createdAt: 'created_at',
})

export const oidcIdentityStore = rowStore<OidcIdentity, OidcIdentityKey>(OIDC_IDENTITIES, {})
