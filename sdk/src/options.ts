import type { Fetch } from './fetch.ts'
import type { Wait, WaitInfo } from './wait.ts'

export interface CredentialOptions {
  /** An agent's (`avs_`) or a platform's (`avp_`) key. */
  readonly apiKey?: string | undefined
  /** An owner's JWT, from `auth.register` or `auth.login`, or an owner's (`avw_`) key. */
  readonly token?: string | undefined
  /** The operator's (`avo_`) key. */
  readonly operatorKey?: string | undefined
}

/** Which of the client's credentials a call goes with. */
export type CredentialKind = keyof CredentialOptions

/**
 * A platform's private Ed25519 key: a JWK, or PKCS #8 as PEM or bytes. Its public half is what the
 * operator registers for the platform (`publicKey`, the `x` of the JWK).
 */
export type SigningKey = SigningJwk | string | Uint8Array

export interface SigningJwk {
  readonly kty?: string | undefined
  readonly crv?: string | undefined
  readonly x?: string | undefined
  readonly d?: string | undefined
}

/** A key given in another key's option is sent as what it is. */
export interface StandingOptions extends CredentialOptions {
  /**
   * Where the service is, such as `https://trust.example.com`; with or without `/v1` at its end.
   * STANDING_URL or `http://127.0.0.1:8080` by default.
   */
  readonly baseUrl?: string | undefined
  /** A platform's Ed25519 key: its reports are signed with it, which proves that they are its own. */
  readonly signingKey?: SigningKey | undefined
  /**
   * `test` for an owner's or the operator's test data; live by default. An agent's and a platform's key is
   * for one mode and needs no option.
   */
  readonly mode?: 'live' | 'test' | undefined
  /** Another `fetch`, for a proxy or a connection pool. */
  readonly fetch?: Fetch | undefined
  /** The most that one attempt may take, its body included. 30 s. */
  readonly timeoutMs?: number | undefined
  /** How long a call is repeated after its first failure, where that can help. 10 s. */
  readonly retryForMs?: number | undefined
  /** How often a call is repeated at most. As often as `retryForMs` allows; 0 turns repeating off. */
  readonly retriesMax?: number | undefined
  /** How long a call waits in all because the service asks for it (`Retry-After`). 65 s. */
  readonly retryAfterMaxMs?: number | undefined
  /** Called before each wait, with its reason and its length. */
  readonly onWait?: ((info: WaitInfo) => void) | undefined
  /** How to wait between attempts; by a timer by default. */
  readonly wait?: Wait | undefined
}
