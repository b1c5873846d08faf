import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type IDToken,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { forbidden, TrustError, unavailable } from '../domain/error.ts'
import { HOUR_MS } from '../domain/time.ts'
import type { Log } from '../lib/log.ts'
import { hasNothingToSee, plainOf } from '../lib/plain-text.ts'
import type { Sealer } from '../lib/vault.ts'
import type { OidcSettings } from '../settings/oidc.ts'

/** A person as the provider names it. */
export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  /** In lower case. The provider has verified it. */
  readonly email: string
  readonly name: string | null
}

/** Sign-in by the provider: authorization code flow with PKCE, state and nonce. */
export interface Oidc {
  readonly name: string
  /** Where to send the browser, and what it has to bring back, encrypted. */
  begin(invitation: string | null): Promise<{ readonly url: string; readonly sealed: string }>
  /** The person whom the provider authenticated, and the invitation that the sign-in began with. */
  finish(
    search: string,
    sealed: string,
  ): Promise<{ readonly person: OidcPerson; readonly invitation: string | null }>
}

export interface OidcOptions {
  readonly settings: OidcSettings
  readonly sealer: Sealer
  readonly now: () => number
  readonly baseUrl: () => string
  /** Gets what the page does not show: why the provider could not be used. */
  readonly log: Log
}

const OIDC_CALLBACK = '/auth/oidc/callback'

/** Ten minutes to sign in at the provider. */
export const OIDC_LOGIN_MS = 600_000

/** A provider that does not respond within five seconds counts as unreachable. */
const TIMEOUT_SECONDS = 5

/** A provider's metadata rarely change; within the hour they are read again. */
const METADATA_MS = HOUR_MS

/** Binds the ciphertext to its use. */
const SEALED_AS = 'oidc log-in'

/** What the browser carries from the beginning of a sign-in to its end. */
interface Begun {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
  readonly invitation: string | null
  readonly expiresAt: number
}

export function createOidc({ settings, sealer, now, baseUrl, log }: OidcOptions): Oidc {
  const onFailed = (err: unknown) =>
    log.warn({ err, issuer: settings.issuer }, 'a sign-in by the provider failed')
  const redirectUri = () => `${baseUrl()}${OIDC_CALLBACK}`
  let known: { readonly config: Promise<Configuration>; readonly at: number } | null = null

  /** Sign-ins that begin meanwhile wait for the same metadata. */
  function configuration(): Promise<Configuration> {
    if (known === null || now() - known.at > METADATA_MS) {
      const config = discovered(settings).catch((error: unknown) => {
        known = null
        onFailed(error)
        throw away(settings.name)
      })
      known = { config, at: now() }
    }
    return known.config
  }

  return {
    name: settings.name,
    async begin(invitation) {
      const config = await configuration()
      const begun: Begun = {
        state: randomState(),
        nonce: randomNonce(),
        codeVerifier: randomPKCECodeVerifier(),
        invitation,
        expiresAt: now() + OIDC_LOGIN_MS,
      }
      const url = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri(),
        scope: settings.scopes,
        state: begun.state,
        nonce: begun.nonce,
        code_challenge: await calculatePKCECodeChallenge(begun.codeVerifier),
        code_challenge_method: 'S256',
        ...(settings.acr.length > 0 && { acr_values: settings.acr.join(' ') }),
      })
      const sealed = sealer.seal(Buffer.from(JSON.stringify(begun)), SEALED_AS)
      return { url: url.href, sealed: Buffer.from(sealed).toString('base64url') }
    },
    async finish(search, sealed) {
      const begun = opened(sealer, sealed)
      if (!begun || begun.expiresAt <= now()) {
        throw refused('the sign-in took too long, or began in another browser')
      }
      // The browser keeps what the last tab began.
      if (new URLSearchParams(search).get('state') !== begun.state) {
        throw refused('a sign-in was begun later, in another tab. Go on there, or begin again here')
      }
      const config = await configuration()
      const url = new URL(redirectUri() + search)
      const { person, claims } = await personOf(config, url, begun).catch((error: unknown) => {
        onFailed(error)
        throw refusalOf(settings.name, error)
      })
      checkStrength(settings, claims)
      return { person, invitation: begun.invitation }
    },
  }
}

function discovered({ issuer, clientId, clientSecret }: OidcSettings): Promise<Configuration> {
  const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  return discovery(
    new URL(issuer),
    clientId,
    clientSecret ?? undefined,
    clientSecret === null ? None() : undefined,
    { execute: [...insecure, enableNonRepudiationChecks], timeout: TIMEOUT_SECONDS },
  )
}

/** Exchanges the code; the library checks state, nonce, PKCE, issuer, audience and signature. */
async function personOf(
  config: Configuration,
  url: URL,
  { state, nonce, codeVerifier }: Begun,
): Promise<{ readonly person: OidcPerson; readonly claims: IDToken }> {
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims) {
    throw refused('the provider sent no ID token')
  }
  const info =
    claims.email === undefined
      ? await fetchUserInfo(config, tokens.access_token, claims.sub)
      : claims
  const { email, email_verified, name } = info
  // Some providers send the flag as text.
  if (typeof email !== 'string' || String(email_verified) !== 'true') {
    throw refused('the provider does not say that your e-mail address is verified')
  }
  if (!EMAIL.test(email.trim())) {
    throw refused('the provider sent an e-mail address that is not valid')
  }
  const person = {
    issuer: claims.iss,
    subject: claims.sub,
    email: email.trim().toLowerCase(),
    name: typeof name === 'string' ? shownName(name) : null,
  }
  return { person, claims }
}

/** An address as providers have them: at most 254 characters (RFC 5321), without spaces or control characters. */
const EMAIL = /^(?=.{3,254}$)[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u

/** The name without characters that the service refuses in the names of others, and not too long; null for an empty one. */
function shownName(name: string): string | null {
  const plain = plainOf(name.toWellFormed(), () => '').trim()
  const short = [...plain].slice(0, NAME_LENGTH_MAX).join('')
  return short === '' || hasNothingToSee(short) ? null : short
}

/** A provider that does not say how it authenticated the person may have asked for a password alone. */
function checkStrength({ acr, amr }: OidcSettings, claims: IDToken): void {
  const methods: unknown = claims.amr
  const isNamed = (method: string) => Array.isArray(methods) && methods.includes(method)
  const isStrong = acr.length === 0 || acr.some((one) => one === claims.acr)
  if (!isStrong || !amr.every(isNamed)) {
    throw forbidden(
      'you are not signed in: this service asks for a stronger sign-in at the provider, such as a ' +
        'second factor',
      { reason: 'weak_login' },
    )
  }
}

/** As long as a name that a person registers with. */
const NAME_LENGTH_MAX = 100

function opened(sealer: Sealer, sealed: string): Begun | null {
  try {
    const bytes = sealer.open(Buffer.from(sealed, 'base64url'), SEALED_AS)
    return JSON.parse(Buffer.from(bytes).toString()) as Begun
  } catch {
    return null
  }
}

/** Messages of network errors; they have no common code. */
const AWAY = /fetch failed|timeout|timed out|aborted|ECONN|ENOTFOUND/i

function refusalOf(name: string, error: unknown): TrustError {
  if (error instanceof TrustError) {
    return error
  }
  const { message = '', cause } = error as { message?: string; cause?: unknown }
  const { status } = (cause ?? {}) as { status?: unknown }
  if (AWAY.test(message) || (typeof status === 'number' && status >= 500)) {
    return away(name)
  }
  return refused('the provider refused the sign-in, or its answer is not valid')
}

function refused(why: string): TrustError {
  return forbidden(`you are not signed in: ${why}`, { reason: 'oidc_refused' })
}

function away(name: string): TrustError {
  return unavailable(
    `${name} cannot be reached; try again in a moment, or sign in with your password`,
    { reason: 'provider' },
  )
}
