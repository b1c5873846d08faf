import type { Log } from '../lib/log.ts'
import type { Sources } from '../lib/sources.ts'
import type { Vault } from '../lib/vault.ts'
import type { OidcSettings } from '../settings/oidc.ts'
import { createSigningKeys, type SigningKeys } from '../signing/keys.ts'
import type { Store } from '../store/store.ts'
import { type Authenticator, createAuthenticator } from './authenticate.ts'
import { createKeyUse, type KeyUse } from './key-use.ts'
import { createOidc, type Oidc } from './oidc.ts'
import { createPasswords, type PasswordCost, type Passwords } from './passwords.ts'
import { type AttemptOutcome, createThrottle, LOGINS, MAILS, type Throttle } from './throttle.ts'
import { createTokens, type Tokens } from './tokens.ts'

interface AuthOptions extends Sources {
  readonly store: Store
  readonly vault: Vault
}

export interface CallersOptions extends AuthOptions {
  /** The key of the settings; null where there is none. */
  readonly operatorKey: string | null
  /** How long a session may be unused; null for as long as its token lasts. */
  readonly sessionIdleMs: number | null
  /** For how long what is known of a caller holds without reading it again. */
  readonly freshMs: () => number
}

/** What finds out who calls. */
export interface Callers {
  /** Sign tokens. */
  readonly tokenKeys: SigningKeys
  readonly tokens: Tokens
  readonly keyUse: KeyUse
  readonly authenticator: Authenticator
}

export async function createCallers(options: CallersOptions): Promise<Callers> {
  const { store, now } = options
  const tokenKeys = await createSigningKeys(options, 'tokens')
  const tokens = createTokens({ ...options, keys: tokenKeys })
  const keyUse = createKeyUse(store, now)
  const authenticator = createAuthenticator({ ...options, tokens, keyUse })
  return { tokenKeys, tokens, keyUse, authenticator }
}

export interface SignInOptions extends AuthOptions {
  /** Null where people do not sign in by a provider. */
  readonly oidc: OidcSettings | null
  readonly baseUrl: () => string
  /** Of the hashes of passwords; the recommended cost by default. */
  readonly passwordCost: PasswordCost | undefined
  /** Called for each attempt with a password. */
  readonly onAttempt: (outcome: AttemptOutcome) => void
  readonly log: Log
}

/** What signs people in. */
export interface SignIn {
  readonly oidc: Oidc | null
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly mailThrottle: Throttle
}

export async function createSignIn(options: SignInOptions): Promise<SignIn> {
  const { store, vault, now, baseUrl, onAttempt, log } = options
  const { oidc: settings } = options
  return {
    oidc: settings && createOidc({ settings, sealer: vault, now, baseUrl, log }),
    passwords: await createPasswords(options.passwordCost),
    throttle: createThrottle({ store, vault, now, onAttempt }, LOGINS),
    mailThrottle: createThrottle({ store, vault, now }, MAILS),
  }
}
