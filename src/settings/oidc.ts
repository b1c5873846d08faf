import { UserError } from '../lib/user-error.ts'
import { type Get, words } from './values.ts'

/** An OpenID Connect provider. */
export interface OidcSettings {
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client. */
  readonly clientSecret: string | null
  /** How the sign-in page names the provider. */
  readonly name: string
  readonly scopes: string
  /** The ID token must name one of these as `acr`; none for any. */
  readonly acr: readonly string[]
  /** The ID token must name each of these in `amr`. */
  readonly amr: readonly string[]
}

/** Null for no provider. @throws UserError */
export function oidcSettings(get: Get): OidcSettings | null {
  const issuer = get('STANDING_OIDC_ISSUER')
  const clientId = get('STANDING_OIDC_CLIENT_ID')
  const clientSecret = get('STANDING_OIDC_CLIENT_SECRET')
  if (issuer === null && clientId === null && clientSecret === null) {
    return null
  }
  if (issuer === null || clientId === null) {
    throw new UserError('STANDING_OIDC_ISSUER and STANDING_OIDC_CLIENT_ID must be set together.')
  }
  if (!isSafe(issuer)) {
    throw new UserError('STANDING_OIDC_ISSUER must be an https address; http only on this machine.')
  }
  const scopes = get('STANDING_OIDC_SCOPES') ?? 'openid email profile'
  if (!scopes.split(' ').includes('openid')) {
    throw new UserError('STANDING_OIDC_SCOPES must have openid among its scopes.')
  }
  return {
    issuer,
    clientId,
    clientSecret,
    name: get('STANDING_OIDC_NAME') ?? 'single sign-on',
    scopes,
    acr: words(get, 'STANDING_OIDC_ACR'),
    amr: words(get, 'STANDING_OIDC_AMR'),
  }
}

/** Over plain HTTP, anyone on the way to another machine could sign people in. */
function isSafe(issuer: string): boolean {
  if (!URL.canParse(issuer)) {
    return false
  }
  const { protocol, hostname } = new URL(issuer)
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}
