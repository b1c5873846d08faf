import type { CallOptions, WriteOptions } from '../call.ts'
import type { Calls } from '../calls.ts'
import type { Listing } from '../page.ts'
import type {
  Account,
  ActiveSession,
  AuthOptions,
  Erasure,
  ListQuery,
  Login,
  Member,
  OwnerRegistration,
  PasswordChange,
  PasswordReset,
  Session,
} from '../types.ts'
import { path } from '../url.ts'

export type Auth = ReturnType<typeof authCalls>

/** A session's token is not kept by this client: `client.with({ token })` makes one that sends it. */
export function authCalls({ read, readText, post, remove, list }: Calls) {
  return {
    register: (input: OwnerRegistration, options?: WriteOptions): Promise<Session> =>
      post('/v1/auth/register', [], input, options),
    login: (input: Login, options?: WriteOptions): Promise<Session> =>
      post('/v1/auth/login', [], input, options),
    /** Owner: the account itself, and what the caller may do. */
    me: (options?: CallOptions): Promise<Account> => read('/v1/auth/me', ['token'], options),
    /** Owner. Ends every earlier token, the one it is called with among them. */
    changePassword: (input: PasswordChange, options?: WriteOptions): Promise<Session> =>
      post('/v1/auth/password', ['token'], input, options),
    /** Owner. Everything about the account and its agents, one JSON object a line. */
    export: (options?: CallOptions): Promise<string> =>
      readText('/v1/auth/export', ['token'], options),
    /** Owner. Erases the account permanently; `email` is that of the account. */
    erase: (email: string, options?: WriteOptions): Promise<Erasure> =>
      post('/v1/auth/erasure', ['token'], { confirm: email }, options),
    /** Owner. Ends every token of the person, the one it is called with among them. */
    logOut: (options?: WriteOptions): Promise<void> =>
      post('/v1/auth/logout', ['token'], undefined, options),
    /** Owner. The sessions of the person that have not ended, newest first. */
    sessions: (query?: ListQuery, options?: CallOptions): Listing<ActiveSession> =>
      list('/v1/auth/sessions', ['token'], query, options),
    /** Owner. Ends one session of the person; its token is refused at once. */
    endSession: (id: string, options?: WriteOptions): Promise<void> =>
      remove(path`/v1/auth/sessions/${id}`, ['token'], options),
    /** The ways to sign in and to register. */
    options: (options?: CallOptions): Promise<AuthOptions> => read('/v1/auth/options', [], options),
    /** In a browser: finishes a sign-in by OpenID Connect with the code of `/#oidc=CODE`. */
    createOidcSession: (code: string, options?: WriteOptions): Promise<Session> =>
      post('/v1/auth/oidc/session', [], { code }, options),
    /** Mails a link to a new password. The answer is the same for every e-mail. */
    requestPasswordReset: (email: string, options?: WriteOptions): Promise<void> =>
      post('/v1/auth/password-reset', [], { email }, options),
    /** Sets the password by the token of a link. */
    resetPassword: (input: PasswordReset, options?: WriteOptions): Promise<Session> =>
      post('/v1/auth/password-reset/confirm', [], input, options),
    /** Owner. Mails a link that confirms the e-mail address. */
    requestEmailConfirmation: (options?: WriteOptions): Promise<void> =>
      post('/v1/auth/email-confirmation', ['token'], undefined, options),
    /** Confirms an e-mail address by the token of a link. */
    confirmEmail: (token: string, options?: WriteOptions): Promise<Member> =>
      post('/v1/auth/email-confirmation/confirm', [], { token }, options),
  }
}
